// Every text of the page with the contrast between it and what is behind it (WCAG 2), the worst first.
() => {
    const numbers = color => {
        const found = color.match(/[\d.]+/g).map(Number);
        return found.length > 3 ? found : [...found, 1];
    };
    const light = ([r, g, b]) => [r, g, b].map(part => part / 255)
        .map(part => part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)
        .reduce((sum, part, index) => sum + part * [0.2126, 0.7152, 0.0722][index], 0);
    const behind = one => {
        for (let up = one; up; up = up.parentElement) {
            const color = numbers(getComputedStyle(up).backgroundColor);
            if (color[3] === 1) return color;
        }
        return null;
    };
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const found = [];
    while (texts.nextNode()) {
        const one = texts.currentNode.parentElement;
        if (!texts.currentNode.data.trim() || one.closest('.skip')) continue;
        const style = getComputedStyle(one);
        const ink = numbers(one.closest('svg') ? style.fill : style.color), paper = behind(one);
        const [low, high] = [light(ink), light(paper)].sort((a, b) => a - b);
        found.push([(high + 0.05) / (low + 0.05), texts.currentNode.data.trim().slice(0, 40), style.color]);
    }
    return found.sort((a, b) => a[0] - b[0]);
}
