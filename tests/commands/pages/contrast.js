// Returns the texts in view with less contrast than WCAG 2.2 asks of text: 4.5, or 3 if it is large.
(() => {
  const pixel = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  const rgba = (color) => {
    pixel.clearRect(0, 0, 1, 1);
    pixel.fillStyle = color;
    pixel.fillRect(0, 0, 1, 1);
    return [...pixel.getImageData(0, 0, 1, 1).data].map((n) => n / 255);
  };
  const luminance = (color) => {
    const [r, g, b] = color.map((n) => (n <= 0.04045 ? n / 12.92 : ((n + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const over = ([r, g, b, a], [x, y, z]) => [r * a + x * (1 - a), g * a + y * (1 - a), b * a + z * (1 - a), 1];
  const backgroundOf = (element) => {
    if (!element) return [1, 1, 1, 1];
    const own = rgba(getComputedStyle(element).backgroundColor);
    return own[3] === 1 ? own : over(own, backgroundOf(element.parentElement));
  };
  const faint = new Set();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    const isShown = element.checkVisibility() && !element.closest("svg, :disabled, script, noscript");
    if (!isShown || !walker.currentNode.data.trim()) continue;
    const style = getComputedStyle(element);
    const background = backgroundOf(element);
    const lights = [over(rgba(style.color), background), background].map(luminance).sort();
    const contrast = (Math.max(...lights) + 0.05) / (Math.min(...lights) + 0.05);
    const size = parseFloat(style.fontSize);
    const isLarge = size >= 24 || (size >= 18.66 && style.fontWeight >= 700);
    if (contrast < (isLarge ? 3 : 4.5)) {
      faint.add(`${element.localName}.${element.className}: ${contrast.toFixed(2)}`);
    }
  }
  return [...faint];
})()
