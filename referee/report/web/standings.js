// Standings of a match, its cross table, and the first fault of each player.

// Most players in the standings before a button shows all, and in the cross table. Not tuned.
const MOST_STANDINGS = 64;
const MOST_CROSS = 32;
// Most players for whom the charts are open at first. Not tuned.
const MOST_CHARTED = 12;
// Most first faults that are open where there is room. Not tuned.
const MOST_OPEN = 5;
// Width from which there is room for all columns, in pixels. Not tuned.
const WIDE = 900;

/** Adds a button with a name that filters the games. */
function addFilter(parent, text, filters) {
  const button = add(parent, "button", "link");
  addText(button, "", text, 40);
  button.title = brief(text, 400);
  button.addEventListener("click", () => showGames(filters));
  return button;
}

/** Shows the games that pass these filters. */
function showGames(filters) {
  state = { ...NO_FILTERS, ...filters };
  showFiltered();
  byId("games").scrollIntoView({ block: "center" });
}

const decimal = (value, digits) => value.toFixed(digits).replace("-", "−");
const signed = (value) => `${value > 0 ? "+" : ""}${decimal(value, 0)}`;
// Before its first game a player has neither a rank nor points, unless a bye gave it some.
const hasResult = (of) => of.games > 0 || of.points > 0;

/**
 * Columns of the standings: head, text of a player, help, and classes. Columns `wide` are shown
 * where there is room, columns `extra` only on request.
 */
function standingColumns() {
  const columns = [];
  const put = (head, classes, help, text) => columns.push({ head, classes, help, text });
  const ranks = report.bracket && "Players are ranked by the round that they reached, not by points.";
  put("#", "number rank-cell", ranks ?? "", (of) => (hasResult(of) ? of.rank : null));
  put("player", "player-cell", "");
  if (summary.players.some((of) => of.mark !== undefined)) {
    const mark = (of) =>
      of.mark === undefined ? null : `${decimal(of.mark, 1)} ± ${decimal(of.mark_error, 1)}`;
    const help = "Mark of 20 by the games against the fixed bots. With more games it would lie in "
      + "the range after ± 95 times of 100.";
    put("mark of 20", "number strong", help, mark);
  }
  const points = isDuel
    ? "1 for a win, half a point for a draw."
    : "In each game the share of the other players that it beat; half for those it was level with.";
  if (!report.is_solo) {
    put("points", "number strong", points, (of) => (hasResult(of) ? decimal(of.points, 1) : null));
    const percent = (of) => (of.percent === null ? null : decimal(of.percent, 1));
    put("%", "number", "Points of each hundred that it could have made in its games.", percent);
  } else {
    put("solved", "number strong", "Instances solved.", (of) => of.solo?.solved);
    put("total", "number", "Sum of the scores.", (of) => of.solo?.total);
  }
  put("games", "number wide", "", (of) => of.games);
  if (!report.is_solo && isDuel) {
    const results = (of) => [of.wins, of.draws, of.losses].join("–");
    put("W–D–L", "number wide", "Games won, drawn and lost.", (of) => (of.games ? results(of) : null));
  } else if (!report.is_solo) {
    const places = (of) => (of.games ? of.places.join("–") : null);
    put("places", "number wide", "Games in which it was first, second and so on.", places);
  }
  if (summary.players.some((of) => Object.keys(of.faults).length)) {
    put("faults", "wide faults-cell", "Mistakes of the program that cost it a game, by their kind.");
  }
  const rating = (of) =>
    of.rating === null ? null : `${signed(of.rating)} ± ${decimal(of.rating_error, 0)}`;
  const elo = "Strength in Elo above the mean of all players: 100 more are about 64 % of the points, "
    + "200 more 76 %. With more games it would lie in the range after ± 95 times of 100.";
  if (!report.is_solo) put("rating", "number extra", elo, rating);
  const attempts = ({ attempts: of }) =>
    Object.entries(of ?? {}).map(([kind, number]) => `${number} ${kind}`).join(", ") || null;
  if (summary.players.some((of) => of.attempts)) {
    const help = "Attempts to reach beyond the sandbox, all refused.";
    put("attempts", "extra", help, attempts);
  }
  const digits = (ms) => (ms < 1 ? 3 : 1);
  const time = (part) => ({ time_ms: ms }) => (ms ? decimal(ms[part], digits(ms[part])) : null);
  put("ms/move", "number extra", "Mean time per move, in milliseconds.", time("mean"));
  put("p99", "number extra", "99 of 100 moves were quicker than this.", time("p99"));
  put("max", "number extra", "Slowest move.", time("max"));
  return columns;
}

/** Adds the rows of a player: its figures, and why it does not play. */
function addPlayerRows(body, columns, index) {
  const player = summary.players[index];
  const row = add(body, "tr");
  for (const { head, classes, text } of columns) {
    const cell = add(row, "td", classes, text ? `${text(player) ?? "–"}` : null);
    if (head === "player") {
      addFilter(cell, player.name, { player: index });
      if (player.status) add(cell, "span", "status", player.status.replaceAll("-", " "));
    } else if (head === "faults") {
      for (const [fault, number] of Object.entries(player.faults)) {
        addFilter(cell, `${number} ${fault}`, { player: index, fault }).classList.add("fault");
      }
    }
  }
  if (!player.not_started) return;
  row.classList.add("has-reason");
  const reason = add(add(body, "tr", "reason-row"), "td");
  reason.colSpan = columns.length;
  addText(reason, "reason", player.not_started, 400);
}

function buildStandings(most) {
  const table = byId("standings");
  const columns = standingColumns();
  table.replaceChildren();
  const heads = add(add(table, "thead"), "tr");
  for (const { head, classes, help } of columns) {
    const cell = add(heads, "th", classes, head);
    cell.scope = "col";
    if (help) cell.title = help;
  }
  const body = add(table, "tbody");
  for (const index of report.order.slice(0, most)) addPlayerRows(body, columns, index);
  if (report.order.length <= most) return;
  const cell = add(add(body, "tr"), "td");
  cell.colSpan = columns.length;
  const more = add(cell, "button", "", `Show all ${countOf(report.order.length, "player")}`);
  more.addEventListener("click", () => buildStandings(Infinity));
}

/** Explains the columns below the table: a phone shows no help over a head. */
function buildLegend() {
  for (const { head, help } of standingColumns().filter((of) => of.help)) {
    const line = add(byId("legend"), "p");
    add(line, "span", "strong", head);
    line.append(`: ${help}`);
  }
}

/** Builds the button that shows all columns, or the first ones again. */
function buildColumnsButton() {
  const button = byId("columns");
  const show = (isWhole) => {
    byId("standings").classList.toggle("whole", isWhole);
    button.textContent = isWhole ? "Fewer columns" : "All columns";
    button.setAttribute("aria-pressed", isWhole);
    keep("columns", isWhole);
    markEdges();
  };
  button.addEventListener("click", () => show(button.getAttribute("aria-pressed") !== "true"));
  // Matches are for authors of engines, tournaments for everyone.
  show(kept("columns") === null
    ? report.kind === null && innerWidth >= WIDE
    : kept("columns") === "true");
}

/** Marks the boxes that hide something beyond their right edge. */
function markEdges() {
  for (const box of document.querySelectorAll(".scroll")) {
    const left = box.scrollWidth - box.clientWidth - box.scrollLeft;
    box.classList.toggle("goes-on", left > 2);
  }
}

function buildCross() {
  const meetings = new Map(report.meetings.map((of) => [`${of[0]} ${of[1]}`, of]));
  const met = new Set(report.meetings.map(([one]) => one));
  const playing = report.order.filter((index) => met.has(index));
  const shown = playing.slice(0, MOST_CROSS);
  if (shown.length < 3) {
    byId("cross-section").hidden = true;
    return;
  }
  const table = byId("cross");
  const heads = add(add(table, "thead"), "tr");
  add(heads, "td");
  for (const index of shown) {
    const cell = add(heads, "th");
    cell.scope = "col";
    addText(cell, "turned", names[index], 24);
    cell.title = brief(names[index], 400);
  }
  const body = add(table, "tbody");
  for (const row of shown) {
    const line = add(body, "tr");
    const head = add(line, "th");
    head.scope = "row";
    addText(head, "name", names[row], 40);
    head.title = brief(names[row], 400);
    for (const column of shown) addCrossCell(line, row, column, meetings.get(`${row} ${column}`));
  }
  body.addEventListener("click", ({ target }) => {
    const { row, column } = target.closest("td")?.dataset ?? {};
    if (row !== undefined) showGames({ player: Number(row), opponent: Number(column) });
  });
  const left = playing.length - shown.length;
  if (left > 0) {
    byId("cross-note").textContent = `The ${countOf(left, "player")} of the last ranks are left out.`;
  }
}

function addCrossCell(line, row, column, meeting) {
  const [, , points, played] = meeting ?? [];
  const cell = add(line, "td", "share", points === undefined ? "" : shortPoints(points));
  if (points === undefined) {
    if (row === column) cell.classList.add("self");
    return;
  }
  const lead = (200 * points) / played - 100;
  cell.classList.add(lead < 0 ? "behind" : "ahead");
  cell.style.setProperty("--lead", `${Math.round(Math.abs(lead))}%`);
  cell.title = `${brief(names[row], 60)}: ${shortPoints(points)} of ${countOf(played, "game")} `
    + `against ${brief(names[column], 60)}`;
  cell.dataset.row = row;
  cell.dataset.column = column;
}

function shortPoints(points) {
  return Number.isInteger(points) ? `${points}` : points.toFixed(1);
}

function buildFaults() {
  const faults = report.first_faults;
  byId("faults-section").hidden = faults.length === 0;
  for (const { player, game, fault, lines } of faults) {
    const details = add(byId("faults"), "details");
    details.open = innerWidth >= WIDE && faults.length <= MOST_OPEN;
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

/** Builds what stands before the list of games, and the charts after it. */
function buildReport() {
  buildStandings(MOST_STANDINGS);
  buildLegend();
  buildBracket(byId("bracket"));
  buildCross();
  buildFaults();
  byId("charts").open = names.length <= MOST_CHARTED;
  byId("ratings-section").hidden = report.is_solo;
  buildColumnsButton();
  for (const box of document.querySelectorAll(".scroll")) box.addEventListener("scroll", markEdges);
  byId("charts").addEventListener("toggle", markEdges);
  addEventListener("resize", markEdges);
}
