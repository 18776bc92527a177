// List of the games that pass the filters.

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
