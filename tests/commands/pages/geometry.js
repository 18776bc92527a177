// Returns the centre and the colours of each cell, and the centre of its text.
(() => {
  const centre = (element) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    return [left + width / 2, top + height / 2];
  };
  const cells = [...document.querySelectorAll("#board [data-cell]")];
  cells.sort((one, other) => one.dataset.cell - other.dataset.cell);
  return cells.map((cell) => {
    const { fill, stroke } = getComputedStyle(cell);
    const glyph = document.querySelector(`#board [data-glyph="${cell.dataset.cell}"]`);
    return { centre: centre(cell), colours: `${fill} ${stroke}`, glyph: glyph && centre(glyph) };
  });
})()
