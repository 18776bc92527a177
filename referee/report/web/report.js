// Page of a match: its head, the game that is open, and reloads while it is played.

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
  for (const sentence of report.lead) add(add(byId("lead"), "p"), "bdi", "", brief(sentence, 400));
  for (const note of report.notes) add(add(byId("notes"), "p"), "bdi", "", brief(note, 600));
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
  addSeats(line, index);
  const seated = games.players[index].length;
  for (const [seat, fault] of record?.faults ?? []) {
    addText(add(root, "p", "fault"), "", ofSeat(seat, seated, fault), 400);
  }
  add(root, "p", "", "This page has no positions of this game. This command draws them:");
  addBox(root, "", `referee replay ${number} --db ${quoted(summary.db)}`);
  if (record) {
    const { moves, seats, ms } = record;
    const seatOf = (at) => (seats ? Number(seats[at]) : at % seated);
    const lineOf = (move, at) => `${at + 1}. ${ofSeat(seatOf(at), seated, move)}  ${milliseconds(ms[at])}`;
    const lines = moves.map(lineOf);
    addBox(root, "moves", lines.join("\n"));
  }
  document.documentElement.dataset.shown = number;
}

const actions = { list: closeGame, previous: () => openNeighbour(-1), next: () => openNeighbour(1) };
listen(actions, () => opened !== null);
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
buildReport();
buildFilters();
buildKept();
await follow();
if (report.is_live) {
  restorePlace();
  setTimeout(reload, RELOAD_MS);
}
// Time until the page can be used, in milliseconds from the start of its loading.
document.documentElement.dataset.ready = Math.round(performance.now());
