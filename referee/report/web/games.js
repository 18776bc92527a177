// List of the games that pass the filters.

let filtered = [...Array(count).keys()];
const list = new LongList(byId("games"), byId("game-rows"), count, buildGame);
// The rows of more seats are higher.
byId("games").classList.toggle("four-seats", summary.seats > 2 && summary.seats <= 4);
byId("games").classList.toggle("eight-seats", summary.seats > 4);
// All rows have a column for the ends of games if one needs it.
const hasEndings = Object.keys(games.faults).length > 0 || games.ending.some((word) => word !== "rules");
list.picked = (at) => open(games.number[filtered[at]]);

/** Adds the players of a game with their scores, the first in bold unless all are. */
function addSeats(parent, index) {
  const [players, scores, ranks] = [games.players, games.scores, games.ranks].map((of) => of[index]);
  const isDecided = ranks.some((rank) => rank !== 1);
  players.forEach((player, seat) => {
    const of = { seat, seats: players.length, name: names[player], score: scores[seat] };
    addSeated(parent, of).classList.toggle("first", isDecided && ranks[seat] === 1);
  });
}

function buildGame(row, at) {
  const index = filtered[at];
  const number = games.number[index];
  add(row, "span", "number", `${number}`);
  const kind = Object.keys(kinds).find((kind) => kinds[kind].places.has(number)) ?? "none";
  row.classList.add(kind);
  addSeats(add(row, "span", "seats"), index);
  if (hasEndings) addEnding(row, index);
  add(row, "span", "value", countOf(games.moves[index], "move"));
  add(row, "span", "time", milliseconds(games.longest_ms[index])).title = "Longest move";
}

/** Adds the faults of a game or the cause of its end: nothing of a game that ended by the rules. */
function addEnding(row, index) {
  const ending = games.ending[index] === "rules" ? "" : games.ending[index];
  const words = faultsOf(index).map(([seat, word]) => ofSeat(seat, games.players[index].length, word));
  const cell = add(row, "span", words.length ? "fault" : "ending", words.join(", ") || ending);
  cell.title = cell.textContent;
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
