// Bracket of a knockout: a column for each round, with a card for each meeting.

// Names of the sides in the heads of their rounds.
const SIDES = {
  main: "", winners: "winners", losers: "losers", final: "final", "third-place": "third place",
};
const DECISIONS = { seed: "level: the better seed goes on", absence: "decided by absence" };

/** Adds the rounds of the bracket to `parent`; hides its section if there is none. */
function buildBracket(parent) {
  byId("bracket-section").hidden = report.bracket === undefined;
  const { rounds = [], winner = null } = report.bracket ?? {};
  for (const { round, meetings, byes, absent } of rounds) {
    const has = (side) => [...meetings, ...byes].some((of) => of.side === side);
    for (const side of Object.keys(SIDES).filter(has)) {
      const title = SIDES[side] ? `Round ${round} · ${SIDES[side]}` : `Round ${round}`;
      const column = addRound(parent, round, side, title);
      for (const meeting of meetings.filter((of) => of.side === side)) addMeeting(column, meeting);
      addNames(column, "bye", byes.filter((of) => of.side === side).map((of) => of.name));
    }
    if (absent.length === 0) continue;
    addNames(addRound(parent, round, "losers", `Round ${round}`), "absent, and out", absent);
  }
  if (winner === null) return;
  const column = addRound(parent, rounds.length + 1, "final", "Winner");
  addText(add(column, "p", "winner"), "", winner, 40);
}

/** Adds the part of a round on one side. */
function addRound(parent, round, side, title) {
  const column = add(parent, "div", "round");
  column.style.setProperty("--round", round);
  column.style.setProperty("--lane", ["losers", "third-place"].includes(side) ? 2 : 1);
  add(column, "h3", "", title);
  return column;
}

/** Adds the card of a meeting: its players with their points, the ones that go on in bold. */
function addMeeting(column, { players, decision, tie_breaks: ties }) {
  const card = add(column, "button", decision === null ? "meeting open" : "meeting");
  for (const { name, points, advances } of players) {
    const line = add(card, "span", advances ? "line first" : "line");
    addText(line, "name", name, 40);
    add(line, "span", "points", `${points}${advances ? " ▸" : ""}`);
  }
  const notes = [
    decision === null && "not complete",
    DECISIONS[decision],
    ties > 0 && countOf(ties, "tie-break"),
  ];
  const text = notes.filter(Boolean).join(", ");
  if (text) add(card, "span", "caption", text);
  const [player, opponent] = players.map(({ name }) => names.indexOf(name));
  card.title = `Show the games of ${brief(players[0].name, 40)} against ${brief(players[1].name, 40)}`;
  card.addEventListener("click", () => showGames({ player, opponent }));
}

function addNames(column, label, players) {
  if (players.length === 0) return;
  const line = add(column, "p", "byes", `${label}: `);
  players.forEach((name, at) => {
    if (at > 0) line.append(", ");
    addText(line, "", name, 40);
  });
}
