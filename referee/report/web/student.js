// Page of a player for its author, with games that it should look at.

const page = await unpack(byId("data").textContent);
const replays = byId("replays").textContent.trim().split("\n");
const title = brief(`${page.name} · ${page.title}`, 120);

/** Hides a section without content. Returns its element of a kind. */
function partOf(id, kind, isShown) {
  byId(id).hidden = !isShown;
  return byId(id).querySelector(kind);
}

function buildHead() {
  byId("name").textContent = brief(page.name, 120);
  const shown = page.shown && `in the standings: ${page.shown}`;
  byId("extent").textContent = [page.title, shown].filter(Boolean).map((of) => brief(of)).join(" · ");
  byId("outcome").textContent = page.result;
  byId("figures").hidden = page.figures.length === 0;
  for (const figure of page.figures) add(byId("figures"), "p", "", figure);
  if (partOf("absence", "h2", page.absence)) {
    byId("absence-title").textContent = `It ${page.absence?.what}`;
    if (page.absence) addBox(byId("absence"), "", page.absence.lines);
  }
}

function buildSteps() {
  const list = partOf("steps", "ol", page.steps.length);
  for (const { text, command } of page.steps) {
    const step = add(list, "li");
    addText(step, "", text, 1000);
    if (command) addCommand(step, command);
  }
}

/** Adds a command, which breaks between its words only. */
function addCommand(parent, command) {
  const box = addBox(parent, "command", "");
  command.split(" ").forEach((word, at) => {
    if (at > 0) box.append(" ");
    add(box, "span", "", visible(word));
  });
}

function buildTables() {
  const results = page.opponents.map((of) => [of.name, of.games, of.points, `${of.percent} %`]);
  const heads = [["", "opponent"], ["number", "games"], ["number", "points"], ["number", "share"]];
  addTable(partOf("opponents", "table", results.length), heads, results);

  const scores = page.instances.map(([number, score]) => [(cell) => addGame(cell, number), score]);
  addTable(partOf("instances", "table", scores.length), [["", "game"], ["number", "score"]], scores);
  const more = page.more_instances;
  if (more) add(byId("instances"), "p", "caption", `${countOf(more, "game")} more are left out.`);

  const values = page.data.map((of) => [of.key, of.games, of.mean, of.last]);
  const keys = [["", "key"], ["number", "games"], ["number", "mean"], ["", "last"]];
  addTable(partOf("printed", "table", values.length), keys, values);
}

/** Adds the name of a game, which leads to it if it is in the page. */
function addGame(parent, number, turn = null) {
  const isHere = page.replays.some(([of]) => of === number);
  const link = add(parent, isHere ? "a" : "span", "", `game ${number}`);
  if (isHere) link.href = addressOf(number, turn);
}

function buildGames() {
  const list = partOf("looks", "ul", page.games.length);
  for (const { what, number, turn, missing } of page.games) {
    const line = add(list, "li");
    addGame(line, number, turn);
    add(line, "span", "", `: ${what}${missing ? `; ${missing}` : ""}`);
  }
}

function buildFaults() {
  byId("faults-title").textContent = `Faults: ${page.fault_kinds}`;
  byId("faults").hidden = page.fault_kinds === "";
  for (const { word, number, ply, lines } of page.faults) {
    const head = add(byId("faults"), "p");
    add(head, "span", "fault", word);
    head.append(" in ");
    addGame(head, number, ply);
    head.append(` at ply ${ply}`);
    addBox(byId("faults"), "", lines);
  }
  const more = page.more_faults;
  if (more) add(byId("faults"), "p", "caption", `${countOf(more, "fault")} more are left out.`);
}

// ---- The game that is open

let viewer = null;
let opened = null;

function addressOf(number, turn, frame = null) {
  const parts = { game: number, turn, frame };
  const known = Object.entries(parts).filter(([, value]) => value !== null);
  return `#${new URLSearchParams(known)}`;
}

function closeGame() {
  location.hash = "";
}

/** Opens the neighbour of the open game among those of the page. */
function openNeighbour(step) {
  const at = page.replays.findIndex(([number]) => number === opened);
  const next = page.replays[at + step];
  if (next) location.hash = addressOf(next[0], null);
}

/** Shows what the address says: the facts, or a game. */
async function follow() {
  const address = new URLSearchParams(location.hash.slice(1));
  const at = { turn: address.get("turn")?.replace(" ", "+") ?? null, frame: address.get("frame") };
  const index = page.replays.findIndex(([number]) => `${number}` === address.get("game"));
  const [number, seat] = page.replays[index] ?? [null];
  if (number !== null && opened === number) return viewer?.go(viewer.momentOf(at));
  opened = number;
  const record = number === null ? null : await unpack(replays[index]);
  // Another game may have been opened meanwhile.
  if (opened !== number) return;
  viewer?.close();
  viewer = null;
  byId("report").hidden = record !== null;
  byId("viewer").hidden = record === null;
  document.title = record === null ? title : `game ${number} · ${title}`;
  if (record === null) {
    byId("viewer").replaceChildren();
    delete document.documentElement.dataset.shown;
    return;
  }
  const moved = (turn, frame) => keepAddress(addressOf(number, turn, frame));
  viewer = new Viewer(byId("viewer"), record, { at, moved });
  byId("game-nav").hidden = false;
  document.querySelector("[data-do=list]").textContent = "← Results";
  const own = byId("players").children[seat];
  own.classList.add("own");
  add(own.querySelector(".who"), "span", "status", "this player");
  document.documentElement.dataset.shown = number;
}

const actions = { list: closeGame, previous: () => openNeighbour(-1), next: () => openNeighbour(1) };
listen(actions, () => opened !== null);
addEventListener("hashchange", follow);

buildHead();
buildSteps();
buildTables();
buildGames();
buildFaults();
await follow();
// Time until the page can be used, in milliseconds from the start of its loading.
document.documentElement.dataset.ready = Math.round(performance.now());
