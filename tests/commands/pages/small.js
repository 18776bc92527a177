// Returns the texts in view that are smaller than 12 pixels.
(() => {
  const small = new Set();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    const isShown = element.checkVisibility() && !element.closest("script, noscript, template, title");
    if (!isShown || !walker.currentNode.data.trim()) continue;
    // Drawings scale their texts.
    const scale = element.closest("svg") ? element.getScreenCTM().a : 1;
    const size = parseFloat(getComputedStyle(element).fontSize) * scale;
    if (size < 11.95) {
      const name = `${element.localName}.${element.getAttribute("class")}`;
      small.add(`${name}: ${size.toFixed(1)} px, ${element.textContent.slice(0, 20)}`);
    }
  }
  return [...small];
})()
