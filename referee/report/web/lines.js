// Tables of the pages of players.

/** Adds a table: classes and heads of its columns, and rows of texts or functions of their cells. */
function addTable(table, heads, rows) {
  const head = add(add(table, "thead"), "tr");
  for (const [classes, text] of heads) add(head, "th", classes, text).scope = "col";
  const body = add(table, "tbody");
  for (const cells of rows) {
    const row = add(body, "tr");
    cells.forEach((content, at) => {
      const cell = add(row, "td", heads[at][0]);
      if (typeof content === "function") content(cell);
      else addText(cell, "", `${content}`, 400);
    });
  }
}
