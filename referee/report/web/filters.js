// Filters of the list of games. They are in the address.

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
  const seats = [...Array(summary.seats).keys()].map((seat) => [seat, `${letterOf(seat)} (seat ${seat})`]);
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
