// Tries what the Content-Security-Policy of the page forbids; window.refused lists what was refused.
() => {
    window.refused = [];
    document.addEventListener('securitypolicyviolation', event => window.refused.push(event.effectiveDirective));
    const script = document.createElement('script');
    script.textContent = 'window.ran = 1';
    const image = document.createElement('img');
    image.src = 'http://127.0.0.1:9/x.png';
    const styled = document.createElement('p');
    styled.setAttribute('style', 'color: red');
    document.body.append(script, image, styled);
}
