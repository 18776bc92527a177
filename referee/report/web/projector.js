// Page of a match for a projector: ranks or the bracket in large type, and the last game, which
// plays itself.

// Longest time in which a game plays, in milliseconds. The page waits for its end. Not tuned.
const PLAY_MS = 6000;
// Longest time of a frame, in milliseconds. Not tuned.
const FRAME_MS = 400;
// Characters of a name. CSS cuts at the width of its place.
const NAME = 60;
// Sizes of the type of the bracket, in rem. The largest is taken that leaves room for the last
// rounds of this number, else the smallest. Not tuned.
const SIZES = [1.7, 1.5, 1.3, 1.15, 1];
const ROUNDS = 3;

const report = await unpack(byId("data").textContent);
const { players, bracket, game: record, state } = report;

// ---- Ranks

function addGained(row, gained) {
  const arrow = add(row, "span", "gained", gained ? `${gained > 0 ? "▲" : "▼"}${Math.abs(gained)}` : "");
  if (!gained) return;
  arrow.classList.add(gained > 0 ? "up" : "down");
  const places = countOf(Math.abs(gained), "place");
  arrow.setAttribute("role", "img");
  arrow.setAttribute("aria-label", `${places} ${gained > 0 ? "gained" : "lost"}`);
}

function buildPlaces(shown) {
  for (const { name, rank, value, gained, why } of shown) {
    const row = add(byId("places"), "li", rank === undefined ? "place waits" : "place");
    add(row, "span", "rank-of", rank === undefined ? "" : `${rank}`);
    addGained(row, gained);
    addText(row, "name", name, NAME);
    add(row, "span", "result", value ?? (hasBegun ? why.replaceAll("-", " ") : ""));
    if (state === "over" && rank <= 3) row.classList.add("podium");
  }
}

// ---- Bracket

const SIDES = { winners: "winners' side", losers: "losers' side", final: "final", "third-place": "third place" };

function addMeeting(parent, { players, decision }) {
  const box = add(parent, "ul", "meeting");
  const hasPoints = players.some(({ points }) => points > 0);
  for (const { name, points, advances } of players) {
    const row = add(box, "li", advances ? "goes-on" : advances === false ? "is-out" : "");
    addText(row, "name", name, NAME);
    add(row, "span", "result", hasPoints || decision ? `${points}` : "");
  }
}

/** Adds a round, the meetings that are not decided first. */
function buildRound({ round, meetings, byes, absent }) {
  const column = add(byId("bracket"), "section", "round");
  byId("bracket").prepend(column);
  add(column, "h2", "", `round ${round}`);
  const sides = new Set([...meetings, ...byes].map(({ side }) => side));
  for (const side of sides) {
    if (SIDES[side]) add(column, "h3", "", SIDES[side]);
    const boxes = add(column, "div", "meetings");
    const own = meetings.filter((of) => of.side === side);
    const open = own.filter(({ decision }) => decision === null);
    for (const of of [...open, ...own.filter(({ decision }) => decision !== null)]) addMeeting(boxes, of);
  }
  for (const [label, names] of [["bye", byes.map(({ name }) => name)], ["absent", absent]]) {
    if (!names.length) continue;
    const line = add(column, "p", "beside", `${label}: `);
    names.forEach((name, at) => {
      if (at) line.append(", ");
      addText(line, "", name, NAME);
    });
  }
  return column;
}

/**
 * Shows the last rounds that fit, and of a round that is too long the meetings that fit. Returns
 * the number of whole rounds.
 */
function buildRounds() {
  const box = byId("bracket");
  box.replaceChildren();
  const fits = () => box.scrollWidth <= box.clientWidth && box.scrollHeight <= box.clientHeight;
  for (const [at, round] of bracket.rounds.toReversed().entries()) {
    const column = buildRound(round);
    if (fits()) continue;
    if (at > 0) {
      column.remove();
      return at;
    }
    const note = add(column, "p", "beside");
    const meetings = [...column.querySelectorAll(".meeting")];
    for (let left = 1; meetings.length > 1 && !fits(); left++) {
      meetings.pop().remove();
      note.textContent = `and ${countOf(left, "more meeting")}`;
    }
    return 0;
  }
  return bracket.rounds.length;
}

function buildBracket() {
  const wished = Math.min(ROUNDS, bracket.rounds.length);
  for (const size of SIZES) {
    byId("bracket").style.fontSize = `${size}rem`;
    if (buildRounds() >= wished) return;
  }
}

// ---- The last game

/** Returns what happened in the last game, as a line. */
function addHappened(game) {
  const line = byId("happened");
  const { ranks, scores, ending, number } = record;
  add(line, "span", "", `Game ${number}: `);
  if (record.players.length === 1) {
    addText(line, "name", record.players[0].name, NAME);
    add(line, "span", "", scores ? `: ${scores[0]}` : "");
  } else if (ranks) {
    const winners = winnersOf(ranks);
    const isDraw = winners.length === ranks.length;
    if (!isDraw) winners.forEach((seat, at) => {
      if (at) line.append(", ");
      addText(line, "name", record.players[seat].name, NAME);
    });
    add(line, "span", "", isDraw ? "draw" : winners.length > 1 ? " share the win" : " wins");
  }
  if (ending !== "rules") add(line, "span", "fault", ` (fault: ${ending})`);
}

/** Shows the last game: it plays once, unless it was shown before or motion is not wished. */
class LastGame {
  constructor() {
    this.game = new Game(record);
    const { positions } = this.game;
    const View = record.board.shape === "picture" ? PictureView : BoardView;
    this.view = new View(byId("board"), positions);
    this.last = positions.moments.length - 1;
    this.scores = record.players.map((_, seat) => {
      const row = add(byId("seats"), "li", `by${seat % 8}`);
      if (record.players.length > 1) addBadge(row, seat);
      addText(row, "name", record.players[seat].name, NAME);
      return add(row, "b", "score");
    });
    const key = `shown ${location.pathname}`;
    const isShown = kept(key) === `${record.number}`;
    keep(key, record.number);
    this.duration = isShown || calm.matches ? 0 : Math.min(PLAY_MS, this.last * FRAME_MS);
    addHappened(this.game);
  }

  show(moment) {
    this.view.show(moment, { zones: false, pace: this.duration / this.last });
    const { scores } = this.game.positions.moments[moment];
    const shown = moment === this.last ? record.scores ?? scores : scores;
    this.scores.forEach((score, seat) => (score.textContent = shown[seat] ?? ""));
    byId("board").setAttribute("aria-label", this.game.sentenceOf(this.game.positions.moments[moment]));
    document.documentElement.dataset.moment = moment === this.last ? "last" : moment;
  }

  /** Plays the game. Resolves at its end. */
  play() {
    const begun = performance.now();
    return new Promise((resolve) => {
      const tick = () => {
        const share = this.duration ? (performance.now() - begun) / this.duration : 1;
        const moment = Math.min(this.last, Math.floor(share * this.last));
        if (moment !== this.game.positions.at || share >= 1) this.show(moment);
        if (moment === this.last) resolve();
        else requestAnimationFrame(tick);
      };
      this.show(this.duration ? 0 : this.last);
      tick();
    });
  }
}

// ---- The page

const WORDS = { live: "live", over: "final result", stopped: null };
const hasBegun = players.some(({ rank }) => rank !== undefined);
const hasBracket = Boolean(bracket?.rounds.length);

function buildHead() {
  const left = countOf(report.left_out, "more player");
  byId("match").textContent = brief(report.title, 120);
  const progress = [WORDS[state], ...report.progress].filter(Boolean).join(" · ");
  byId("progress").textContent = visible(progress);
  Object.assign(byId("projector").dataset, {
    state,
    shows: hasBracket ? "bracket" : hasBegun ? "ranks" : "names",
  });
  if (hasBracket) return;
  byId("measure").textContent = hasBegun ? report.measure : "";
  byId("left-out").textContent = report.left_out ? `and ${left}` : "";
}

buildHead();
if (hasBracket) {
  // Points do not decide the ranks of a knockout.
  const podium = players.filter(({ rank }) => state === "over" && rank <= 3);
  buildPlaces(podium.map((of) => ({ ...of, value: "" })));
  byId("bracket").hidden = false;
  buildBracket();
  addEventListener("resize", buildBracket);
} else {
  buildPlaces(players);
}
listen();
byId("game").hidden = record === null;
const played = record === null ? Promise.resolve() : new LastGame().play();
if (state === "live") played.then(() => setTimeout(() => location.reload(), RELOAD_MS));
// Time until the page can be used, in milliseconds from the start of its loading.
document.documentElement.dataset.ready = Math.round(performance.now());
