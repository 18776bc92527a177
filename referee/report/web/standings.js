// Standings of a match, its cross table, and the first fault of each player.

// Most players in the standings before a button shows all, and in the cross table. Not tuned.
const MOST_STANDINGS = 64;
const MOST_CROSS = 32;

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
