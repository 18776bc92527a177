// Returns what the board shows: the classes, the text and the zone of each cell, and the rest.
(() => {
  const numbered = (name) => {
    const elements = [...document.querySelectorAll(`#board [data-${name}]`)];
    return new Map(elements.map((element) => [Number(element.dataset[name]), element]));
  };
  const [cells, glyphs, seeds] = ["cell", "glyph", "seeds"].map(numbered);
  const numbers = [...cells.keys()].sort((one, other) => one - other);
  const label = document.getElementById("label");
  return {
    cells: numbers.map((cell) => ({
      classes: cells.get(cell).getAttribute("class"),
      text: glyphs.get(cell)?.textContent ?? "",
      zone: Number(cells.get(cell).dataset.zone),
      seeds: seeds.get(cell)?.childElementCount ?? 0,
    })),
    marks: [...document.querySelectorAll("#board [data-mark]")].map((mark) => Number(mark.dataset.mark)),
    scores: [...document.querySelectorAll("[data-score-of]")]
      .map((score) => score.textContent)
      .filter(Boolean)
      .map(Number),
    label: label.hidden ? null : label.textContent,
  };
})()
