// Page of one game. Everything in the document may come from a player: it is set as text only.

// Returns the document of a page: JSON, deflated, in letters.
async function unpack(letters) {
  const bytes = Uint8Array.from(atob(letters), (letter) => letter.charCodeAt(0));
  const inflated = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return JSON.parse(await new Response(inflated).text());
}

const game = await unpack(document.getElementById("data").textContent.trim());
const positions = new Positions(game);
const { moments, ends } = positions;
const { players, steps } = game;
const byId = (id) => document.getElementById(id);

// Characters of a text that are shown before a button shows all of it. Not tuned.
const MOST_SHOWN = 4000;
// Frames per second that can be chosen.
const SPEEDS = [0.5, 1, 2, 4, 8, 15, 30, 60];
// Time that the default speed aims at for a whole game, in seconds. Not tuned.
const WHOLE_GAME = 45;
// Least time that a label stays while the game plays, in milliseconds. Not tuned.
const LABEL_MS = 900;
// Least width of a turn of several frames in which a click finds a frame, in pixels. Not tuned.
const WIDE_TURN = 48;
// Most labels that are counted below the board. Not tuned.
const MOST_LABELS = 12;

const calm = matchMedia("(prefers-reduced-motion: reduce)");

/** Creates an HTML element with classes and a text in `parent`. */
function add(parent, name, classes = "", text = null) {
  const element = document.createElement(name);
  if (classes) element.className = classes;
  if (text !== null) element.textContent = text;
  return parent.appendChild(element);
}

/**
 * Returns a text with control characters and those that change the writing direction escaped, as
 * in the terminal. Line ends stay if `keepsLines`.
 */
function visible(text, keepsLines = false) {
  const hidden = /[\0-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;
  const shown = text.replace(hidden, (c) => {
    if (keepsLines && (c === "\n" || c === "\t")) return c;
    const word = { "\n": "\\n", "\r": "\\r", "\t": "\\t" }[c];
    return word ?? `\\u{${c.charCodeAt(0).toString(16)}}`;
  });
  // A text of blanks alone would be invisible.
  return keepsLines ? shown : shown.replace(/^ +$/, (blanks) => "␣".repeat(blanks.length));
}

/** Returns a text on one line, cut to `most` characters. */
function brief(text, most = 80) {
  return visible(text.length > most ? `${text.slice(0, most)}…` : text);
}

/** Adds a text that a player wrote. The writing direction of the page around it stays. */
function addText(parent, classes, text, most) {
  return add(parent, "bdi", classes, brief(text, most));
}

function countOf(text) {
  return `${text.length.toLocaleString("en")} characters`;
}

/** Adds a long text in a box that scrolls; its end is shown on request. */
function addBox(parent, classes, text) {
  const box = add(parent, "pre", `box ${classes}`, visible(text.slice(0, MOST_SHOWN), true));
  if (text.length > MOST_SHOWN) {
    const more = add(box, "button", "more", `… Show all ${countOf(text)}`);
    more.addEventListener("click", () => (box.textContent = visible(text, true)));
  }
  // Boxes that scroll must be reachable by keyboard.
  if (text.length > 120) box.tabIndex = 0;
  return box;
}

function milliseconds(ms) {
  if (ms >= 10000) return `${(ms / 1000).toFixed(1)} s`;
  return `${ms.toFixed(ms < 10 ? 1 : 0)} ms`;
}

function shortNumber(value) {
  const digits = Number.isInteger(value) || Math.abs(value) >= 1000 ? 0 : 2;
  const text = Math.abs(value) >= 1e7 ? value.toExponential(1) : value.toFixed(digits);
  return value > 0 && players.length > 1 ? `+${text}` : text.replace("-", "−");
}

/** Badges of the seats: the letters of their heads, or their numbers. */
const badges = players.map((_, seat) => {
  const head = game.board.kinds.find(({ paint }) => paint === `head${seat}`);
  return /^\w$/.test(head?.text) ? head.text : `${seat}`;
});

function addBadge(parent, seat) {
  add(parent, "span", `badge by${seat % 8}`, badges[seat] ?? "?");
}

function addPlayer(parent, seat) {
  addBadge(parent, seat);
  return addText(parent, "name", players[seat]?.name ?? "?", 60);
}

// Names of the turns, as the address gives them: the number of the move, or for a step without a
// move that of the move before, and a count.
const turnNames = ["0"];
{
  let [ply, others] = [0, 0];
  for (const step of steps) {
    [ply, others] = step.ply === null ? [ply, others + 1] : [step.ply, 0];
    turnNames.push(others ? `${ply}+${others}` : `${ply}`);
  }
}

// ---- Evaluations, seen from seat 0

const isDuel = players.length === 2;

/** Returns the evaluation of a step, or `null`. In games of two it is that of seat 0. */
function evaluationOf(step) {
  if (step.seat === null || (step.win === null && step.score === null)) return null;
  const isTurned = isDuel && step.seat === 1;
  const [isShare, value] = step.win === null ? [false, step.score] : [true, step.win];
  if (isShare) return { isShare, value: isTurned ? 1 - value : value };
  return { isShare, value: isTurned ? -value : value };
}

function evaluationText(step) {
  const evaluation = evaluationOf(step);
  if (!evaluation) return "";
  const { isShare, value } = evaluation;
  return isShare ? `${Math.round(value * 100)} %` : shortNumber(value);
}

/** Typical size of each seat's scores: bots count in units of their own. */
const typical = players.map((_, seat) => {
  const own = steps.filter((step) => step.seat === seat && step.score !== null);
  const sizes = own.map((step) => Math.abs(step.score)).sort((a, b) => a - b);
  return sizes[sizes.length >> 1] || 1;
});

/** Returns the height of an evaluation, from -1 to 1. */
function heightOf(step) {
  const { isShare, value } = evaluationOf(step);
  if (isShare) return Math.max(-1, Math.min(1, 2 * value - 1));
  return value / (Math.abs(value) + typical[step.seat]);
}

// ---- Timeline: one unit of width for each step

const timeline = byId("timeline");
const width = Math.max(steps.length, 1);
const playheads = [];

function placeOf({ step, frame, frames }) {
  return step === 0 ? 0 : step - 1 + (frame + 1) / frames;
}

/** Adds a lane of a name, a seat or both, and returns its drawing, which is 100 units high. */
function addLane(name, classes, help, seat = null) {
  const lane = add(timeline, "div", `lane ${classes}`);
  const title = add(lane, "span", "lane-name");
  title.title = help;
  if (name) add(title, "span", "", name);
  if (seat !== null) (name ? addBadge : addPlayer)(title, seat);
  const svg = svgElement(lane, "svg", { viewBox: `0 0 ${width} 100`, preserveAspectRatio: "none" });
  svg.setAttribute("aria-hidden", "true");
  return svg;
}

function addPath(svg, classes, d) {
  return svgElement(svg, "path", { class: classes, d });
}

function addPlayhead(svg) {
  playheads.push(addPath(svg, "playhead", ""));
}

function buildTimeline() {
  const events = [];
  for (const moment of moments) {
    if (moment.label !== null) events.push([placeOf(moment), "event"]);
  }
  steps.forEach((step, i) => step.out.length && events.push([i + 0.5, "event out"]));
  if (events.length) {
    const svg = addLane("events", "events", "Labels, and players that go out");
    for (const [x, classes] of events) addPath(svg, classes, `M${x} 10V90`);
    addPlayhead(svg);
  }
  if (moments.some(({ scores }) => scores.length)) {
    buildScores(addLane("scores", "graph", "Scores of the game"));
  }
  // A single evaluation is no curve, and a single time no series.
  if (steps.filter((step) => evaluationOf(step)).length > 1) {
    const help = `Evaluations by the players. Up is good for ${isDuel ? badges[0] : "the mover"}.`;
    buildEvaluations(addLane("evaluation", "graph", help, isDuel ? 0 : null));
  }
  players.forEach((_, seat) => {
    const own = steps.filter((step) => step.seat === seat && step.ms !== null);
    if (own.length < 2) return;
    const svg = addLane("", "clock", "Time of each move, as a share of its limit", seat);
    buildClock(svg, seat, own.reduce((most, { ms }) => Math.max(most, ms), 0));
  });
  if (!timeline.firstChild) addPlayhead(addLane("turns", "clock", ""));
}

function buildScores(svg) {
  const all = moments.flatMap(({ scores }) => scores);
  const [least, most] = all.reduce(([a, b], s) => [Math.min(a, s), Math.max(b, s)], [0, 1]);
  const y = (score) => (96 - (92 * (score - least)) / (most - least)).toFixed(1);
  players.forEach((_, seat) => {
    let path = "";
    let before = null;
    for (const moment of moments) {
      const score = moment.scores[seat];
      if (score === undefined || score === before) continue;
      path += `${path ? "H" : "M"}${placeOf(moment).toFixed(3)}${path ? "V" : " "}${y(score)}`;
      before = score;
    }
    if (path) addPath(svg, `curve by${seat % 8}`, `${path}H${width}`);
  });
  addPlayhead(svg);
}

function buildEvaluations(svg) {
  addPath(svg, "zero", `M0 50H${width}`);
  players.forEach((_, seat) => {
    let path = "";
    steps.forEach((step, i) => {
      if (step.seat !== seat || !evaluationOf(step)) return;
      path += `${path ? "L" : "M"}${i + 0.5} ${(50 - 46 * heightOf(step)).toFixed(1)}`;
    });
    // A curve of one point would be invisible.
    if (path) addPath(svg, `curve by${seat % 8}`, `${path}h.01`);
  });
  addPlayhead(svg);
}

function buildClock(svg, seat, longest) {
  const bars = { bar: "", "bar over": "" };
  steps.forEach((step, i) => {
    if (step.seat !== seat || step.ms === null) return;
    const share = step.ms / (step.limit_ms ?? longest) || 0;
    const isOver = step.limit_ms !== null && share > 1;
    const height = Math.max(4, Math.min(1, share) * 100).toFixed(1);
    bars[isOver ? "bar over" : "bar"] += `M${i + 0.05} 100v-${height}h.9v${height}z`;
  });
  for (const classes in bars) addPath(svg, `${classes} by${seat % 8}`, bars[classes]);
  addPlayhead(svg);
}

/** Returns the moment at a pixel of the timeline. */
function momentAt(pixel) {
  const { left, width: pixels } = timeline.querySelector("svg").getBoundingClientRect();
  const x = ((pixel - left) / pixels) * width;
  if (x <= 0) return 0;
  const step = Math.min(Math.floor(x), steps.length - 1) + 1;
  if (pixels / width < WIDE_TURN || step === 0) return ends[step] ?? 0;
  const frames = ends[step] - ends[step - 1];
  return ends[step - 1] + Math.max(1, Math.min(frames, Math.ceil((x - step + 1) * frames)));
}

timeline.addEventListener("pointerdown", (event) => {
  timeline.setPointerCapture(event.pointerId);
  pause();
  go(momentAt(event.clientX));
});
timeline.addEventListener("pointermove", (event) => {
  if (event.buttons & 1) go(momentAt(event.clientX));
});

// ---- Head of the page, players and reasons

function place(rank) {
  const ending = { 1: "st", 2: "nd", 3: "rd" }[rank] ?? "th";
  return `${rank}${ending}`;
}

function buildHead() {
  const number = game.number === null ? "" : ` · game ${game.number}`;
  byId("title").textContent = visible(`${game.game}${number} · round ${game.round}`);
  const result = byId("result");
  const ranks = game.ranks;
  if (players.length === 1) {
    addPlayer(result, 0);
    if (game.scores) add(result, "b", "", ` ${game.scores[0]}`);
  } else if (!ranks) {
    add(result, "span", "", "no result");
  } else {
    const best = Math.min(...ranks);
    const winners = [...ranks.keys()].filter((seat) => ranks[seat] === best);
    winners.forEach((seat) => addPlayer(result, seat));
    const isDraw = winners.length === players.length;
    add(result, "span", "", isDraw ? "draw" : winners.length > 1 ? "share the win" : "wins");
    if (game.scores) add(result, "b", "", game.scores.join(" : "));
  }
  const reasons = byId("reasons");
  if (game.ending !== "rules") addText(reasons, "fault", game.ending);
  for (const reason of game.reasons) add(add(reasons, "p"), "bdi", "", brief(reason, 400));
  const about = byId("about");
  const facts = [["Rules", game.rules], ["Setup", game.setup]];
  for (const player of players) facts.push([player.name, `${player.version}\n${player.limits}`]);
  for (const [name, text] of facts) {
    addText(add(about, "p", "fact"), "", name, 60);
    addBox(about, "", text);
  }
}

// Cards of the players, with the elements that follow the turn.
const cards = players.map((_, seat) => {
  const card = add(byId("players"), "li", `card by${seat % 8}`);
  const head = add(card, "p", "who");
  addPlayer(head, seat).title = brief(players[seat].name, 400);
  if (players.length > 1 && game.ranks) add(head, "span", "rank", place(game.ranks[seat]));
  const score = add(head, "b", "score");
  score.dataset.scoreOf = seat;
  return { card, score, turn: add(card, "div", "turn"), step: -1 };
});

/** Shows each player's last move up to `step`, with its comment and standard error. */
function showPlayers(step, scores) {
  const list = byId("players");
  let mover = null;
  cards.forEach((card, seat) => {
    card.score.textContent = scores[seat] ?? "";
    let own = step;
    while (own > 0 && steps[own - 1].seat !== seat) own--;
    const hasMoved = own > 0 && own === step;
    card.card.classList.toggle("moved", hasMoved);
    // Only the list of the cards scrolls to the mover, never the page.
    if (hasMoved) mover = card.card;
    if (card.step === own) return;
    card.step = own;
    card.turn.replaceChildren();
    if (own === 0) return;
    const { move, ms, limit_ms: limit, comment, stderr } = steps[own - 1];
    const line = add(card.turn, "p", "move");
    add(line, "span", "number", `${turnNames[own]}.`);
    addText(line, "what", move ?? "", 60);
    if (ms !== null) {
      const isOver = limit !== null && ms > limit;
      const time = add(line, "span", isOver ? "time over" : "time", milliseconds(ms));
      if (limit !== null) time.append(` of ${milliseconds(limit)}`);
    }
    if ((move ?? "").length > 60) addBox(card.turn, "", move);
    if (comment) addBox(card.turn, "comment", comment);
    if (stderr) {
      add(card.turn, "p", "caption", `standard error, ${countOf(stderr)}`);
      addBox(card.turn, "stderr", stderr);
    }
  });
  if (!mover) return;
  const [view, place] = [list, mover].map((element) => element.getBoundingClientRect());
  if (place.top < view.top) list.scrollTop -= view.top - place.top;
  else if (place.bottom > view.bottom) list.scrollTop += place.bottom - view.bottom;
}

// ---- List of turns: only the rows in view are in the page

const turns = byId("turns");
const rows = byId("rows");
const rowHeight = () => parseFloat(getComputedStyle(document.documentElement).fontSize) * 1.75;

function buildRow(step, height) {
  const row = add(rows, "div", "row");
  row.id = `row-${step}`;
  row.dataset.step = step;
  row.setAttribute("role", "option");
  row.setAttribute("aria-setsize", steps.length + 1);
  row.setAttribute("aria-posinset", step + 1);
  row.setAttribute("aria-selected", step === moments[positions.at].step);
  row.style.top = `${step * height}px`;
  add(row, "span", "number", step === 0 || steps[step - 1].ply !== null ? turnNames[step] : "");
  if (step === 0) return add(row, "span", "what", "start");
  const { seat, move, ms, out, frames } = steps[step - 1];
  if (seat !== null) addBadge(row, seat);
  addText(row, out.length ? "what out" : "what", [move ?? "", ...out].filter(Boolean).join(" · "));
  const label = frames.map((frame) => frame.label).filter(Boolean).join(", ");
  if (label) addText(row, "said", label, 30);
  add(row, "span", "value", seat === null ? "" : evaluationText(steps[step - 1]));
  add(row, "span", "time", ms === null ? "" : milliseconds(ms));
}

function showRows() {
  const height = rowHeight();
  const first = Math.max(0, Math.floor(turns.scrollTop / height) - 4);
  const last = Math.min(steps.length, first + Math.ceil(turns.clientHeight / height) + 8);
  rows.replaceChildren();
  for (let step = first; step <= last; step++) buildRow(step, height);
  turns.setAttribute("aria-activedescendant", `row-${moments[positions.at].step}`);
}

function scrollToRow(step) {
  const [height, view] = [rowHeight(), turns.clientHeight];
  rows.style.height = `${(steps.length + 1) * height}px`;
  const top = step * height;
  if (top < turns.scrollTop + height || top > turns.scrollTop + view - 2 * height) {
    turns.scrollTop = top - view / 2;
  }
}

turns.addEventListener("scroll", showRows);
addEventListener("resize", showRows);
rows.addEventListener("click", (event) => {
  const row = event.target.closest(".row");
  if (!row) return;
  pause();
  go(ends[Number(row.dataset.step)]);
});

// ---- Moving through the game

const view = new BoardView(byId("board"), positions);
const labelled = [...moments.keys()].filter((moment) => moments[moment].label !== null);
let timer = null;
let speed = SPEEDS.find((speed) => moments.length / speed < WHOLE_GAME && speed >= 2) ?? 60;
let labelUntil = 0;

/** Shows the label of a moment, for a while if the game plays, and counts those up to now. */
function showLabel({ label: now }) {
  const element = byId("label");
  if (now !== null) {
    element.textContent = brief(now, 60);
    element.hidden = false;
    if (!calm.matches && timer) element.animate([{ scale: 1.25 }, { scale: 1 }], { duration: 250 });
    labelUntil = performance.now() + LABEL_MS;
  } else if (!timer || performance.now() > labelUntil) {
    element.hidden = true;
  }
  if (labelled.length === 0) return;
  const counts = new Map();
  for (const moment of labelled) {
    if (moment > positions.at) break;
    const { label } = moments[moment];
    counts.set(label, (counts.get(label) ?? 0) + 1);
  }
  const tally = byId("tally");
  tally.hidden = false;
  tally.replaceChildren();
  for (const [label, count] of [...counts].slice(0, MOST_LABELS)) {
    const item = add(tally, "span", label === now ? "now" : "");
    addText(item, "", label, 30);
    if (count > 1) add(item, "b", "", ` ×${count}`);
  }
  if (counts.size > MOST_LABELS) add(tally, "span", "", "…");
}

/** Returns what a step did, in words. */
function sentenceOf({ step, scores }) {
  if (step === 0) return "Start of the game";
  const { seat, move, out } = steps[step - 1];
  const parts = seat === null ? [] : [`${players[seat].name}: ${move}`];
  if (scores.length) parts.push(`score ${scores.join(" to ")}`);
  return brief(`Turn ${turnNames[step]}. ${[...parts, ...out].join(". ")}`, 300);
}

/** Goes to a moment and shows it everywhere in the page. */
function go(moment) {
  moment = Math.max(0, Math.min(moments.length - 1, moment));
  const pace = calm.matches ? 0 : timer ? 1000 / speed : 400;
  view.show(moment, { zones: byId("zones").checked, pace });
  const now = moments[moment];
  const { step, frame, frames } = now;
  showLabel(now);
  showPlayers(step, now.scores);
  const x = placeOf(now);
  for (const playhead of playheads) playhead.setAttribute("d", `M${x} 0V100`);
  const isEnd = frame === frames - 1;
  const part = isEnd ? "" : `, frame ${frame + 1} of ${frames}`;
  byId("place").textContent = `Turn ${turnNames[step]} of ${turnNames.at(-1).split("+")[0]}${part}`;
  document.documentElement.dataset.turn = turnNames[step];
  document.documentElement.dataset.step = step;
  document.documentElement.dataset.frame = frame;
  timeline.setAttribute("aria-valuemax", steps.length);
  timeline.setAttribute("aria-valuenow", step);
  const sentence = sentenceOf(now);
  timeline.setAttribute("aria-valuetext", sentence);
  byId("board").setAttribute("aria-label", sentence);
  // A reader of the screen would never finish while the game plays.
  if (!timer) byId("spoken").textContent = sentence + part;
  scrollToRow(step);
  showRows();
  keepAddress(`#turn=${turnNames[step]}${isEnd ? "" : `&frame=${frame + 1}`}`);
}

let addressTimer = null;

/** Writes the address. Browsers refuse more than about a hundred changes in some seconds. */
function keepAddress(address) {
  clearTimeout(addressTimer);
  addressTimer = setTimeout(() => {
    if (location.hash !== address) history.replaceState(null, "", address);
  }, 200);
}

/** Returns the moment that the address names. */
function momentOfAddress() {
  const [, name, frame] = /[#&]turn=([\d+]+)(?:&frame=(\d+))?/.exec(location.hash) ?? [];
  const step = turnNames.indexOf(name);
  if (step < 0) return name === undefined ? 0 : moments.length - 1;
  return frame ? Math.min(ends[step], (ends[step - 1] ?? 0) + Number(frame)) : ends[step];
}

function stepBy(count) {
  pause();
  const { step } = moments[positions.at];
  // From within a turn, the first step forward leads to its end.
  const isWithin = count > 0 && positions.at < ends[step];
  go(ends[Math.max(0, Math.min(steps.length, step + count - isWithin))]);
}

function frameBy(count) {
  pause();
  go(positions.at + count);
}

function pause() {
  if (timer) byId("spoken").textContent = sentenceOf(moments[positions.at]);
  clearTimeout(timer);
  timer = null;
  showPlay();
}

function play() {
  if (positions.at === moments.length - 1) go(0);
  timer = setTimeout(tick, 1000 / speed);
  showPlay();
}

function tick() {
  go(positions.at + 1);
  if (positions.at === moments.length - 1) return pause();
  const { frame, frames } = moments[positions.at];
  // The end of a turn of several frames is held, so that the turns are distinct.
  const isHeld = frames > 1 && frame === frames - 1;
  timer = setTimeout(tick, (1000 / speed) * (isHeld ? 2 : 1));
}

function showPlay() {
  const button = byId("play");
  const icon = timer ? "M3 2v12h4V2zM9 2v12h4V2z" : "M4 2v12l9-6z";
  button.querySelector("path").setAttribute("d", icon);
  button.setAttribute("aria-label", timer ? "Pause" : "Play");
}

function setSpeed(index) {
  speed = SPEEDS[Math.max(0, Math.min(SPEEDS.length - 1, index))];
  byId("speed").value = speed;
}

function switchTheme() {
  const root = document.documentElement;
  const isDark = getComputedStyle(root).colorScheme === "dark"
    || (root.dataset.theme === undefined && matchMedia("(prefers-color-scheme: dark)").matches);
  root.dataset.theme = isDark ? "light" : "dark";
}

const actions = {
  first: () => (pause(), go(0)),
  back: () => stepBy(-1),
  play: () => (timer ? pause() : play()),
  forward: () => stepBy(1),
  last: () => (pause(), go(moments.length - 1)),
  help: () => byId("help").showModal(),
  close: () => byId("help").close(),
};

const keys = {
  ArrowLeft: (event) => (event.shiftKey ? frameBy(-1) : stepBy(-1)),
  ArrowRight: (event) => (event.shiftKey ? frameBy(1) : stepBy(1)),
  ArrowUp: () => frameBy(-1),
  ArrowDown: () => frameBy(1),
  Home: actions.first,
  End: actions.last,
  " ": actions.play,
  "+": () => setSpeed(SPEEDS.indexOf(speed) + 1),
  "-": () => setSpeed(SPEEDS.indexOf(speed) - 1),
  "?": actions.help,
  t: switchTheme,
  z: () => positions.hasZones && byId("zones").click(),
};

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-do]");
  if (button) actions[button.dataset.do]();
});

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || byId("help").open) return;
  const { target } = event;
  // Boxes scroll, lists choose, and buttons are pressed by the same keys.
  if (target.closest("select, .box")) return;
  if (event.key === " " && target.closest("button, input, summary")) return;
  // In games without intermediate frames these two scroll the page, as usual.
  if (/^Arrow(Up|Down)$/.test(event.key) && moments.length === ends.length) return;
  const action = keys[event.key];
  if (!action) return;
  event.preventDefault();
  action(event);
});

for (const choice of SPEEDS) add(byId("speed"), "option", "", `${choice} / s`).value = choice;
setSpeed(SPEEDS.indexOf(speed));
byId("speed").addEventListener("change", () => setSpeed(byId("speed").selectedIndex));
byId("theme").addEventListener("click", switchTheme);
byId("zones-label").hidden = !positions.hasZones;
byId("zones").addEventListener("change", () => go(positions.at));
addEventListener("hashchange", () => go(momentOfAddress()));
if (isDuel) byId("turns-title").textContent = `Turns: move, evaluation for ${badges[0]}, time`;
buildHead();
buildTimeline();
go(momentOfAddress());
