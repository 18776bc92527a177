// Index of the pages of the players.

const index = await unpack(byId("data").textContent);

const name = ({ name, file, result }) => (cell) => {
  const link = file === null ? cell : add(cell, "a");
  if (file !== null) link.href = encodeURIComponent(file);
  addText(link, "", name, 400);
  if (result?.status) add(cell, "span", "status", result.status.replaceAll("-", " "));
};
byId("name").textContent = brief(index.title, 120);
// Without results the rows are the names alone.
const results = index.rows.map((row) => row.result).filter(Boolean);
const rounded = (points) => Math.round(points * 100) / 100;
const columns = [
  [results.length, ["number", "rank"], ({ result }) => result.rank ?? "–"],
  [true, ["", "player"], name],
  [results.some((of) => of.mark), ["number", "mark of 20"], ({ result }) => result.mark ?? "–"],
  [results.length, ["number", "points"], ({ result }) => (result.points === null ? "–" : rounded(result.points))],
  [results.some((of) => of.percent !== null), ["number", "%"], ({ result }) => result.percent?.toFixed(1) ?? "–"],
].filter(([isShown]) => isShown);
const rows = index.rows.map((row) => columns.map(([, , content]) => content(row)));
addTable(byId("roster"), columns.map(([, head]) => head), rows);
listen();
document.documentElement.dataset.ready = Math.round(performance.now());
