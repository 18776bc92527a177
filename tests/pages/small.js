// Returns the texts in view that are smaller than 12 pixels, except those on boards.
(() => {
  const small = new Set();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    const isShown = element.checkVisibility() && !element.closest(".board, script, noscript, title");
    if (!isShown || !walker.currentNode.data.trim()) continue;
    const scale = element.getScreenCTM?.().a ?? 1;
    const size = parseFloat(getComputedStyle(element).fontSize) * scale;
    // A pixel of a chart may be a hair less than one of the page.
    if (size < 11.95) small.add(`${element.localName}.${element.getAttribute("class")}: ${size.toFixed(2)}`);
  }
  return [...small];
})()
