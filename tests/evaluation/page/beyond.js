// Elements that stand out to the right of a window of this width; what scrolls within itself may.
width => [...document.querySelectorAll('body *')]
    .filter(one => !one.closest('.scroll') && !one.closest('.skip') && one.getBoundingClientRect().right > width + 1)
    .map(one => one.outerHTML.slice(0, 120))
