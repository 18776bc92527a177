// Page of a match: standings, cross table, faults, and the list of its games.

// Most players in the standings before a button shows all, and in the cross table. Not tuned.
const MOST_STANDINGS = 64;
const MOST_CROSS = 32;
// Time between two loads of the page of a match that is being played, in milliseconds.
const RELOAD_MS = 2000;

const report = await unpack(byId("data").textContent);
const { summary, games } = report;
const names = summary.players.map((player) => player.name);
const count = games.number.length;
const isDuel = summary.seats === 2;

/** Returns the games of each block by number: where they are. */
function placesOf(blocks) {
  const places = new Map();
  blocks.forEach((numbers, block) => {
    numbers.forEach((number, at) => places.set(number, { block, at }));
  });
  return places;
}

const kinds = {
  frames: { places: placesOf(report.frames), lines: null },
  moves: { places: placesOf(report.moves), lines: null },
};

/** Returns the document of a game, with all positions or with its moves; `null` without both. */
async function documentOf(number) {
  for (const [kind, { places }] of Object.entries(kinds)) {
    const place = places.get(number);
    if (!place) continue;
    kinds[kind].lines ??= byId(kind).textContent.trim().split("\n");
    const block = await unpack(kinds[kind].lines[place.block]);
    return { kind, record: block[place.at] };
  }
  return null;
}

// ---- Standings, cross table and faults

function addCells(row, cells) {
  for (const [classes, text] of cells) add(row, "td", classes, text);
}

function headRow(table, heads) {
  const row = add(add(table, "thead"), "tr");
  for (const [classes, text, title] of heads) {
    const cell = add(row, "th", classes, text);
    cell.scope = "col";
    if (title) cell.title = title;
  }
}

/** Adds a button with a name that filters the games. */
function addFilter(parent, text, filters) {
  const button = add(parent, "button", "link");
  addText(button, "", text, 40);
  button.title = brief(text, 400);
  button.addEventListener("click", () => {
    state = { ...NO_FILTERS, ...filters };
    showFiltered();
    byId("games").scrollIntoView({ block: "center" });
  });
  return button;
}

const decimal = (value, digits) => value.toFixed(digits).replace("-", "−");
const signed = (value) => `${value > 0 ? "+" : ""}${decimal(value, 0)}`;

/** Columns of the standings: classes, head, help, and the text of a player. */
function standingColumns() {
  const columns = [["number", "#", "Rank", (of) => of.rank ?? "–"], ["", "player"]];
  const mark = (of) =>
    of.mark === undefined ? "–" : `${decimal(of.mark, 1)} ± ${decimal(of.mark_error, 1)}`;
  if (summary.players.some((of) => of.mark !== undefined)) {
    columns.push(["number strong", "mark of 20", "Score against the fixed bots, ± 95 %", mark]);
  }
  columns.push(["number", "games", "", (of) => of.games]);
  columns.push(["number strong", "points", "", (of) => decimal(of.points, 1)]);
  if (report.is_solo) {
    columns.push(["number", "solved", "", (of) => of.solo?.solved]);
    columns.push(["number", "total", "Sum of the scores", (of) => of.solo?.total]);
  } else if (isDuel) {
    const share = (of) => (of.games ? decimal((100 * of.points) / of.games, 1) : "–");
    columns.push(["number", "%", "Share of the points", share]);
    columns.push(["number", "W–D–L", "", (of) => [of.wins, of.draws, of.losses].join("–")]);
  } else {
    columns.push(["number", "places", "Games by place", (of) => of.places.join("–")]);
  }
  const rating = (of) =>
    of.rating === null ? "–" : `${signed(of.rating)} ± ${decimal(of.rating_error, 0)}`;
  columns.push(["number", "rating", "Elo above the mean of the players, ± 95 %", rating]);
  if (summary.players.some((of) => Object.keys(of.faults).length)) columns.push(["", "faults"]);
  const attempts = ({ attempts: of }) =>
    Object.entries(of ?? {}).map(([kind, number]) => `${number} ${kind}`).join(", ");
  if (summary.players.some((of) => of.attempts)) {
    columns.push(["", "attempts", "Attempts to reach beyond the sandbox, all refused", attempts]);
  }
  const digits = (ms) => (ms < 1 ? 3 : 1);
  const time = (part) => ({ time_ms: ms }) => (ms ? decimal(ms[part], digits(ms[part])) : "–");
  columns.push(["number", "ms/move", "Mean time per move", time("mean")]);
  columns.push(["number", "p99", "Time within which 99 % of the moves were played", time("p99")]);
  columns.push(["number", "max", "Longest move", time("max")]);
  return columns;
}

function buildStandings(most) {
  const table = byId("standings");
  const columns = standingColumns();
  table.replaceChildren();
  headRow(table, columns);
  const body = add(table, "tbody");
  for (const index of report.order.slice(0, most)) {
    const player = summary.players[index];
    const row = add(body, "tr");
    for (const [classes, head, , text] of columns) {
      const cell = add(row, "td", classes, text ? `${text(player) ?? "–"}` : null);
      if (head === "player") {
        addFilter(cell, player.name, { player: index });
        if (player.status) add(cell, "span", "status", player.status);
        if (player.not_started) addText(cell, "reason", player.not_started, 400);
      } else if (head === "faults") {
        for (const [fault, number] of Object.entries(player.faults)) {
          addFilter(cell, `${number} ${fault}`, { player: index, fault }).classList.add("fault");
        }
      }
    }
  }
  if (report.order.length > most) {
    const row = add(body, "tr");
    const cell = add(row, "td");
    cell.colSpan = columns.length;
    const more = add(cell, "button", "", `Show all ${report.order.length} players`);
    more.addEventListener("click", () => buildStandings(Infinity));
  }
}

function buildCross() {
  const shown = report.order.slice(0, MOST_CROSS);
  const meetings = new Map(report.meetings.map((of) => [`${of[0]} ${of[1]}`, of]));
  if (names.length < 3 || meetings.size === 0) {
    byId("cross-section").hidden = true;
    return;
  }
  const table = byId("cross");
  headRow(table, [["", ""], ...shown.map((index, at) => ["number", at + 1, brief(names[index])])]);
  const body = add(table, "tbody");
  shown.forEach((row, at) => {
    const line = add(body, "tr");
    const head = add(line, "th", "");
    head.scope = "row";
    add(head, "span", "number", `${at + 1} `);
    addText(head, "", names[row], 24);
    for (const column of shown) {
      const [, , points, played] = meetings.get(`${row} ${column}`) ?? [];
      const cell = add(line, "td", "share", points === undefined ? "" : shortPoints(points));
      if (points === undefined) {
        if (row === column) cell.classList.add("self");
        continue;
      }
      const lead = (200 * points) / played - 100;
      cell.classList.add(lead < 0 ? "behind" : "ahead");
      cell.style.setProperty("--lead", `${Math.round(Math.abs(lead))}%`);
      cell.title = `${brief(names[row], 60)}: ${shortPoints(points)} of ${countOf(played, "game")} `
        + `against ${brief(names[column], 60)}`;
      cell.dataset.row = row;
      cell.dataset.column = column;
    }
  });
  body.addEventListener("click", ({ target }) => {
    const { row, column } = target.closest("td")?.dataset ?? {};
    if (row === undefined) return;
    state = { ...NO_FILTERS, player: Number(row), opponent: Number(column) };
    showFiltered();
    byId("games").scrollIntoView({ block: "center" });
  });
  const left = names.length - shown.length;
  byId("cross-note").textContent = "A cell shows the games of the two players."
    + (left > 0 ? ` The ${countOf(left, "player")} of the last ranks are left out.` : "");
}

function shortPoints(points) {
  return Number.isInteger(points) ? `${points}` : points.toFixed(1);
}

function buildFaults() {
  const faults = report.first_faults;
  byId("faults-section").hidden = faults.length === 0;
  for (const { player, game, fault, lines } of faults) {
    const details = add(byId("faults"), "details");
    const title = add(details, "summary");
    addText(title, "name", names[player], 40);
    add(title, "span", "fault", ` ${fault} `);
    if (game !== null) addLink(title, game);
    addBox(details, "", lines.join("\n"));
  }
}

function addLink(parent, number) {
  const link = add(parent, "a", "", `game ${number}`);
  link.href = addressOf({ ...state, game: number });
  return link;
}

function buildHead() {
  byId("match").textContent = brief(report.title, 120);
  byId("live").hidden = !report.is_live;
  // Paths of solo games are single moves, of which a chart says nothing.
  byId("lengths-section").hidden = new Set(games.moves).size < 2;
  const parts = [
    `${countOf(summary.games, "game")} of ${summary.game}`,
    report.kind,
    countOf(summary.moves, "move"),
    `seed ${summary.seed}`,
    report.begun && `begun ${report.begun}`,
    report.is_live ? "games are being played" : !summary.complete && "not all games were played",
  ];
  byId("extent").textContent = visible(parts.filter(Boolean).join(" · "));
  // Of two players the notes tell the difference and its certainty.
  byId("notes").open = names.length === 2;
  for (const note of report.notes) add(add(byId("notes"), "p"), "bdi", "", brief(note, 600));
}

// ---- Filters, which are in the address

const NO_FILTERS = {
  player: null, opponent: null, seat: null, result: null, reason: null, fault: null, setup: "",
  order: "number",
};
let state = { ...NO_FILTERS };

const RESULTS = ["won", "drawn", "lost"];
const ORDERS = {
  number: ["number", (one, other) => one - other],
  longest: ["most moves", (one, other) => games.moves[other] - games.moves[one]],
  shortest: ["fewest moves", (one, other) => games.moves[one] - games.moves[other]],
  closest: ["closest scores", (one, other) => distanceOf(one) - distanceOf(other)],
  slowest: ["slowest move", (one, other) => games.longest_ms[other] - games.longest_ms[one]],
};

function distanceOf(index) {
  const scores = games.scores[index];
  return Math.max(...scores) - Math.min(...scores);
}

/** Returns the result of a seat: won, drawn or lost. */
function resultOf(index, seat) {
  const ranks = games.ranks[index];
  if (ranks[seat] !== 1) return "lost";
  return winnersOf(ranks).length > 1 ? "drawn" : "won";
}

function faultsOf(index) {
  return games.faults[index] ?? [];
}

/** Returns `true` if a game passes the filters. Those of a player hold for one and the same seat. */
function passes(index) {
  const { player, opponent, seat, result, reason, fault, setup } = state;
  const players = games.players[index];
  if (reason !== null && games.ending[index] !== reason) return false;
  if (opponent !== null && !players.includes(opponent)) return false;
  if (setup !== "" && !setupPasses(games.setup[index], setup)) return false;
  const isFault = (at) => ([of, word]) => of === at && (fault === "any" || word === fault);
  return players.some((of, at) => {
    if (player !== null && of !== player) return false;
    if (seat !== null && at !== seat) return false;
    if (result !== null && resultOf(index, at) !== result) return false;
    return fault === null || faultsOf(index).some(isFault(at));
  });
}

/** A setup is asked for by a part of its text, or by its number: `#3`. */
function setupPasses(number, asked) {
  return asked === `#${number}` || games.setups[number].includes(asked);
}

/** Returns the address of a state: its filters, and the game that is open. */
function addressOf({ player, opponent, ...others }) {
  const address = new URLSearchParams();
  if (player !== null) address.set("player", names[player]);
  if (opponent !== null) address.set("opponent", names[opponent]);
  for (const [name, value] of Object.entries(others)) {
    if (value !== null && value !== NO_FILTERS[name]) address.set(name, value);
  }
  return `#${address}`;
}

/** Returns the state that the address describes. What it does not know is ignored. */
function stateOfAddress() {
  const address = new URLSearchParams(location.hash.slice(1));
  const indexOf = (name) => {
    const index = names.indexOf(address.get(name));
    return index < 0 ? null : index;
  };
  const oneOf = (name, known) => (known.includes(address.get(name)) ? address.get(name) : null);
  const numberOf = (name) => (/^\d+$/.test(address.get(name)) ? Number(address.get(name)) : null);
  return {
    player: indexOf("player"),
    opponent: indexOf("opponent"),
    seat: numberOf("seat"),
    result: oneOf("result", RESULTS),
    reason: address.get("reason"),
    fault: address.get("fault"),
    setup: address.get("setup") ?? "",
    order: oneOf("order", Object.keys(ORDERS)) ?? "number",
    game: numberOf("game"),
    turn: address.get("turn")?.replace(" ", "+") ?? null,
    frame: address.get("frame"),
  };
}

const controls = {};

function addSelect(name, title, choices) {
  if (choices.length < 2 && name !== "order") return;
  const label = add(byId("filters"), "label", "", `${title} `);
  const select = add(label, "select");
  select.id = `filter-${name}`;
  if (name !== "order") add(select, "option", "", "any").value = "";
  for (const [value, text] of choices) add(select, "option", "", brief(`${text}`, 40)).value = value;
  const isNumber = ["player", "opponent", "seat"].includes(name);
  controls[name] = select;
  select.addEventListener("change", () => {
    const { value } = select;
    state[name] = value === "" ? null : isNumber ? Number(value) : value;
    showFiltered();
  });
}

function buildFilters() {
  const numbered = report.order.map((index) => [index, names[index]]);
  addSelect("player", "Player", numbered);
  if (names.length > 2 && !report.is_solo) addSelect("opponent", "Opponent", numbered);
  const seats = [...Array(summary.seats).keys()].map((seat) => [seat, seat]);
  addSelect("seat", "Seat", seats);
  if (!report.is_solo) addSelect("result", "Result", RESULTS.map((word) => [word, word]));
  const endings = [...new Set(games.ending)].sort();
  addSelect("reason", "Reason", endings.map((word) => [word, word]));
  const faults = new Set(Object.values(games.faults).flatMap((all) => all.map(([, word]) => word)));
  const words = [...faults].sort().map((word) => [word, word]);
  if (words.length) addSelect("fault", "Fault", [["any", "any fault"], ...words]);
  if (games.setups.length > 1) {
    const input = add(add(byId("filters"), "label", "", "Setup "), "input");
    input.type = "search";
    input.placeholder = "text or #number";
    input.id = "filter-setup";
    controls.setup = input;
    input.addEventListener("input", () => {
      state.setup = input.value;
      showFiltered();
    });
  }
  addSelect("order", "Order", Object.entries(ORDERS).map(([word, [text]]) => [word, text]));
  const none = add(byId("filters"), "button", "", "Show all");
  none.type = "button";
  none.id = "no-filters";
  none.addEventListener("click", () => {
    state = { ...NO_FILTERS };
    showFiltered();
  });
  byId("filters").addEventListener("submit", (event) => event.preventDefault());
}

// ---- List of games

let filtered = [...Array(count).keys()];
const list = new LongList(byId("games"), byId("game-rows"), count, buildGame);
byId("games").classList.toggle("many-seats", summary.seats > 2);
list.picked = (at) => open(games.number[filtered[at]]);

/** Badge of a seat, in its colour. */
function addSeat(parent, index, seat) {
  const part = add(parent, "span", `seat by${seat % 8}`);
  add(part, "span", `badge by${seat % 8}`, `${seat}`);
  const isFirst = !report.is_solo && games.ranks[index][seat] === 1;
  addText(part, isFirst ? "name first" : "name", names[games.players[index][seat]], 40);
}

function buildGame(row, at) {
  const index = filtered[at];
  const number = games.number[index];
  add(row, "span", "number", `${number}`);
  const kind = Object.keys(kinds).find((kind) => kinds[kind].places.has(number)) ?? "none";
  row.classList.add(kind);
  const players = add(row, "span", "seats");
  games.players[index].forEach((_, seat) => addSeat(players, index, seat));
  add(row, "span", "scores", games.scores[index].join(" : "));
  const faults = faultsOf(index);
  const ending = games.ending[index];
  if (faults.length) {
    add(row, "span", "fault", faults.map(([seat, word]) => `${seat}: ${word}`).join(", "));
  } else if (ending !== "rules") {
    add(row, "span", "ending", ending);
  }
  add(row, "span", "value", countOf(games.moves[index], "move"));
  add(row, "span", "time", milliseconds(games.longest_ms[index])).title = "Longest move";
}

/** Shows the games that pass the filters, and keeps these in the address. */
function showFiltered() {
  const all = [...Array(count).keys()];
  filtered = all.filter(passes).sort(ORDERS[state.order][1]);
  list.replace(filtered.length);
  byId("games").scrollTop = 0;
  list.select(filtered.length ? 0 : -1);
  const shown = filtered.length === count ? "" : `${filtered.length.toLocaleString("en")} of `;
  byId("games-title").textContent = `Games: ${shown}${count.toLocaleString("en")}`;
  for (const [name, control] of Object.entries(controls)) control.value = state[name] ?? "";
  byId("no-filters").disabled = addressOf(state) === "#" || filtered.length === count;
  document.documentElement.dataset.listed = filtered.length;
  keepAddress(addressOf(state));
}

byId("games").addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  const page = Math.max(1, Math.floor(byId("games").clientHeight / list.rowHeight()) - 1);
  const steps = { ArrowUp: -1, ArrowDown: 1, PageUp: -page, PageDown: page, Home: -Infinity, End: Infinity };
  if (event.key in steps && filtered.length) {
    event.preventDefault();
    const at = list.selected + steps[event.key];
    list.select(Math.max(0, Math.min(filtered.length - 1, at)));
  } else if (event.key === "Enter" && list.selected >= 0) {
    event.preventDefault();
    list.picked(list.selected);
  }
});

function buildKept() {
  const [framed, told] = [kinds.frames.places.size, kinds.moves.places.size];
  if (framed === count) return;
  const parts = [
    report.is_live
      ? `The last ${countOf(framed, "game")} can be played here.`
      : `${countOf(framed, "game")} can be played here: some with faults, the closest, the longest, `
        + "and some drawn by seed.",
    told > 0 && `${countOf(told, "game")} of the others have their moves as text.`,
    `referee replay NUMBER --db ${quoted(summary.db)} draws any game.`,
  ];
  byId("kept").textContent = visible(parts.filter(Boolean).join(" "));
}

// ---- The game that is open

let viewer = null;
let opened = null;

function open(number, turn = null) {
  location.hash = addressOf({ ...state, game: number, turn, frame: null });
}

function closeGame() {
  location.hash = addressOf(state);
}

/** Opens the neighbour of the open game in the list. */
function openNeighbour(step) {
  const at = filtered.findIndex((index) => games.number[index] === opened);
  const next = filtered[at + step];
  if (next !== undefined) open(games.number[next]);
}

/** Shows what the address says: the report, or a game. */
async function follow() {
  const { game, turn, frame, ...filters } = stateOfAddress();
  state = filters;
  if (game === null || !games.number.includes(game)) {
    viewer?.close();
    [viewer, opened] = [null, null];
    byId("viewer").hidden = true;
    byId("viewer").replaceChildren();
    byId("report").hidden = false;
    document.title = brief(report.title, 120);
    delete document.documentElement.dataset.shown;
    showFiltered();
    selectGame(kept(`opened ${location.pathname}`));
    return;
  }
  keep(`opened ${location.pathname}`, game);
  if (opened === game) return viewer?.go(viewer.momentOf({ turn, frame }));
  opened = game;
  filtered = [...Array(count).keys()].filter(passes).sort(ORDERS[state.order][1]);
  const found = await documentOf(game);
  // Another game may have been opened meanwhile.
  if (opened !== game) return;
  viewer?.close();
  viewer = null;
  byId("report").hidden = true;
  byId("viewer").hidden = false;
  document.title = `game ${game} · ${brief(report.title, 100)}`;
  if (found?.kind !== "frames") return showText(game, found?.record);
  const at = { turn, frame };
  const moved = (turn, frame) => keepAddress(addressOf({ ...state, game, turn, frame }));
  viewer = new Viewer(byId("viewer"), found.record, { at, moved });
  byId("game-nav").hidden = false;
  document.documentElement.dataset.shown = game;
}

/** Selects the game that was open before in the list. */
function selectGame(number) {
  const at = filtered.findIndex((index) => `${games.number[index]}` === number);
  if (at >= 0) list.select(at);
}

/** Shows a game whose positions are not in the page. */
function showText(number, record) {
  const index = games.number.indexOf(number);
  const root = byId("viewer");
  root.replaceChildren();
  const top = add(root, "header", "top");
  const nav = add(top, "nav", "buttons");
  const buttons = [["list", "← Games"], ["previous", "↑"], ["next", "↓"]];
  for (const [action, text] of buttons) add(nav, "button", "", text).dataset.do = action;
  add(top, "h1", "", `${summary.game} · game ${number}`);
  const line = add(root, "p", "seats");
  games.players[index].forEach((_, seat) => addSeat(line, index, seat));
  add(line, "b", "scores", games.scores[index].join(" : "));
  for (const [seat, fault] of record?.faults ?? []) {
    addText(add(root, "p", "fault"), "", `${seat}: ${fault}`, 400);
  }
  add(root, "p", "", "This page has no positions of this game. This command draws them:");
  addBox(root, "", `referee replay ${number} --db ${quoted(summary.db)}`);
  if (record) {
    const { moves, seats, ms } = record;
    const seatOf = (at) => (seats ? seats[at] : `${at % games.players[index].length}`);
    const lines = moves.map((move, at) => `${at + 1}. ${seatOf(at)}: ${move}  ${milliseconds(ms[at])}`);
    addBox(root, "moves", lines.join("\n"));
  }
  document.documentElement.dataset.shown = number;
}

document.addEventListener("click", (event) => {
  const actions = { list: closeGame, previous: () => openNeighbour(-1), next: () => openNeighbour(1) };
  const { do: action } = event.target.closest("[data-do]")?.dataset ?? {};
  actions[action]?.();
  if (action === "theme" && !viewer) switchTheme();
});

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || event.target.closest("input, select")) return;
  const keys = viewer || opened !== null
    ? { Escape: closeGame, n: () => openNeighbour(1), p: () => openNeighbour(-1) }
    : { t: switchTheme };
  if (byId("help")?.open) return;
  keys[event.key]?.();
});

addEventListener("hashchange", follow);
addEventListener("resize", () => list.show());

// ---- A match that is being played

/** Loads the page again, unless a game is open: it would be torn away. */
function reload() {
  if (opened !== null) return setTimeout(reload, RELOAD_MS);
  // A filter that was chosen a moment ago is not in the address yet.
  history.replaceState(null, "", addressOf(state));
  keep(`place ${location.pathname}`, JSON.stringify([scrollX, scrollY, byId("games").scrollTop, document.activeElement?.id]));
  location.reload();
}

function restorePlace() {
  const [x, y, rows, focused] = JSON.parse(kept(`place ${location.pathname}`) ?? "[]");
  if (x === undefined) return;
  byId("games").scrollTop = rows;
  if (focused) byId(focused)?.focus({ preventScroll: true });
  scrollTo(x, y);
}

buildHead();
buildStandings(MOST_STANDINGS);
buildCross();
buildFaults();
buildFilters();
buildKept();
await follow();
if (report.is_live) {
  restorePlace();
  setTimeout(reload, RELOAD_MS);
}
// Time until the page can be used, in milliseconds from the start of its loading.
document.documentElement.dataset.ready = Math.round(performance.now());
