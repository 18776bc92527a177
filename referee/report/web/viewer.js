// Viewer of one game: its board, players, turns and controls, from the template of the page.

// Frames per second that can be chosen.
const SPEEDS = [0.5, 1, 2, 4, 8, 15, 30, 60];
// Time that the default speed aims at for a whole game, in seconds. Not tuned.
const WHOLE_GAME = 45;
// Least time that a label stays while the game plays, in milliseconds. Not tuned.
const LABEL_MS = 900;
// Most labels that are counted below the board. Not tuned.
const MOST_LABELS = 12;

const calm = matchMedia("(prefers-reduced-motion: reduce)");

class Viewer {
  /**
   * Shows a game in `root` from the turn and the frame that `at` names. `moved` is called with the
   * names of those that the viewer comes to.
   */
  constructor(root, record, { at, moved }) {
    root.replaceChildren(byId("viewer-template").content.cloneNode(true));
    this.game = new Game(record);
    this.moved = moved;
    this.positions = this.game.positions;
    const { moments, ends } = this.positions;
    const View = record.board.shape === "picture" ? PictureView : BoardView;
    this.view = new View(byId("board"), this.positions);
    this.labelled = [...moments.keys()].filter((moment) => moments[moment].label !== null);
    this.timer = null;
    this.speed = SPEEDS.find((speed) => moments.length / speed < WHOLE_GAME && speed >= 2) ?? 60;
    this.labelUntil = 0;
    this.timeline = new Timeline(byId("timeline"), this.game);
    this.timeline.picked = (moment) => (this.pause(), this.go(moment));
    const build = (row, step) => this.buildRow(row, step);
    this.turns = new LongList(byId("turns"), byId("rows"), this.game.steps.length + 1, build);
    this.turns.picked = (step) => (this.pause(), this.go(ends[step]));
    this.buildHead();
    this.buildCards();
    this.buildControls(root);
    this.go(this.momentOf(at));
  }

  /** Ends the viewer. */
  close() {
    clearTimeout(this.timer);
    this.listeners.abort();
  }

  // ---- Head, players and turns

  buildHead() {
    const { record, players, isDuel } = this.game;
    const number = record.number === null ? "" : ` · game ${record.number}`;
    byId("title").textContent = visible(`${record.game}${number} · round ${record.round}`);
    const result = byId("result");
    const { ranks, scores } = record;
    if (!ranks) {
      add(result, "span", "", "no result");
    } else if (players.length === 1) {
      this.game.addPlayer(result, 0, scores[0]);
    } else if (!isDuel) {
      result.classList.add("places");
      const order = [...ranks.keys()].sort((one, other) => ranks[one] - ranks[other]);
      for (const seat of order) {
        const place = add(result, "span", ranks[seat] === 1 ? "place first" : "place");
        add(place, "span", "rank", ordinal(ranks[seat]));
        this.game.addPlayer(place, seat, scores[seat]);
      }
    } else {
      const winners = winnersOf(ranks);
      winners.forEach((seat) => this.game.addPlayer(result, seat));
      const isDraw = winners.length === players.length;
      add(result, "span", "", isDraw ? "draw" : "wins");
      add(result, "b", "", scores.join(" : "));
    }
    const reasons = byId("reasons");
    if (record.ending !== "rules") addText(reasons, "fault", record.ending);
    for (const reason of record.reasons) add(add(reasons, "p"), "bdi", "", brief(reason, 400));
    const about = byId("about");
    const facts = [["Rules", record.rules], ["Setup", record.setup]];
    for (const player of players) facts.push([player.name, `${player.version}\n${player.limits}`]);
    for (const [name, text] of facts) {
      addText(add(about, "p", "fact"), "", name, 60);
      addBox(about, "", text);
    }
    if (isDuel) byId("turns-title").textContent = `Turns: move, evaluation for ${letterOf(0)}, time`;
  }

  /** Adds the cards of the players, with the elements that follow the turn. */
  buildCards() {
    const { players } = this.game;
    this.cards = players.map((_, seat) => {
      const card = add(byId("players"), "li", `card by${seat % 8}`);
      const head = add(card, "p", "who");
      this.game.addPlayer(head, seat);
      const rank = add(head, "span", "rank");
      const score = add(head, "b", "score");
      score.dataset.scoreOf = seat;
      return { card, rank, score, turn: add(card, "div", "turn"), step: -1 };
    });
  }

  /** Shows whether a player is out, and after the last turn its rank. */
  showPlace({ card, rank }, seat) {
    const { players, record: { ranks } } = this.game;
    const { at, ends } = this.positions;
    // Players that stay have no step.
    const isOut = at >= ends[players[seat].out];
    const isRanked = ranks && players.length > 1 && at === ends.at(-1);
    card.classList.toggle("is-out", isOut);
    rank.textContent = [isOut && "out", isRanked && ordinal(ranks[seat])].filter(Boolean).join(", ");
  }

  /** Shows each player's last move up to `step`, with its comment and standard error. */
  showPlayers(step, scores) {
    const { steps } = this.game;
    const list = byId("players");
    let mover = null;
    this.cards.forEach((card, seat) => {
      card.score.textContent = scores[seat] ?? "";
      this.showPlace(card, seat);
      let own = step;
      while (own > 0 && steps[own - 1].seat !== seat) own--;
      const hasMoved = own > 0 && own === step;
      card.card.classList.toggle("moved", hasMoved);
      // Only the list of the cards scrolls to the mover, never the page.
      if (hasMoved) mover = card.card;
      if (card.step === own) return;
      card.step = own;
      card.turn.replaceChildren();
      if (own > 0) this.fillCard(card.turn, own);
    });
    if (!mover) return;
    const [view, place] = [list, mover].map((element) => element.getBoundingClientRect());
    if (place.top < view.top) list.scrollTop -= view.top - place.top;
    else if (place.bottom > view.bottom) list.scrollTop += place.bottom - view.bottom;
  }

  fillCard(parent, step) {
    const { move, ms, limit_ms: limit, comment, stderr } = this.game.steps[step - 1];
    const line = add(parent, "p", "move");
    add(line, "span", "number", `${this.game.turnNames[step]}.`);
    this.game.addMove(line, move, 60);
    if (ms !== null) {
      const isOver = limit !== null && ms > limit;
      const time = add(line, "span", isOver ? "time over" : "time", milliseconds(ms));
      if (limit !== null) time.append(` of ${milliseconds(limit)}`);
    }
    if ((move ?? "").length > 60) addBox(parent, "", move);
    if (comment) addBox(parent, "comment", comment);
    if (stderr) {
      add(parent, "p", "caption", `standard error, ${countOf(stderr.length, "character")}`);
      addBox(parent, "stderr", stderr);
    }
  }

  buildRow(row, number) {
    const { players, steps, turnNames } = this.game;
    const isNamed = number === 0 || steps[number - 1].ply !== null;
    add(row, "span", "number", isNamed ? turnNames[number] : "");
    if (number === 0) return add(row, "span", "what", "start");
    const step = steps[number - 1];
    const { seat, move, ms, frames } = step;
    const out = this.game.out[number - 1];
    if (seat !== null && players.length > 1) addBadge(row, seat);
    if (move !== null) this.game.addMove(row, move);
    if (out.length) addText(row, "what out", out.join(" · "));
    const label = frames.map((frame) => frame.label).filter(Boolean).join(", ");
    if (label) addText(row, "said", label, 30);
    add(row, "span", "value", seat === null ? "" : this.game.evaluationText(step));
    add(row, "span", "time", ms === null ? "" : milliseconds(ms));
  }

  // ---- Moving through the game

  /** Shows the label of a moment, for a while if the game plays, and counts those up to now. */
  showLabel({ label: now }) {
    const { moments, at } = this.positions;
    const element = byId("label");
    if (now !== null) {
      element.textContent = brief(now, 60);
      element.hidden = false;
      const jump = [{ scale: 1.25 }, { scale: 1 }];
      if (!calm.matches && this.timer) element.animate(jump, { duration: 250 });
      this.labelUntil = performance.now() + LABEL_MS;
    } else if (!this.timer || performance.now() > this.labelUntil) {
      element.hidden = true;
    }
    if (this.labelled.length === 0) return;
    const counts = new Map();
    for (const moment of this.labelled) {
      if (moment > at) break;
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

  /** Returns the number of cells in the zone of each seat, and in those of several. */
  zoneSizes() {
    const sizes = new Array(this.game.players.length + 1).fill(0);
    for (const zone of this.positions.layers[ZONE]) if (zone >= 0) sizes[zone]++;
    const shared = sizes.pop();
    return sizes.join(" : ") + (shared ? `, shared ${shared}` : "");
  }

  /** Goes to a moment and shows it everywhere in the page. */
  go(moment) {
    const { turnNames } = this.game;
    const { moments } = this.positions;
    moment = Math.max(0, Math.min(moments.length - 1, moment));
    const pace = calm.matches ? 0 : this.timer ? 1000 / this.speed : 400;
    this.view.show(moment, { zones: byId("zones").checked, pace });
    const now = moments[moment];
    const { step, frame, frames } = now;
    this.showLabel(now);
    this.showPlayers(step, now.scores);
    byId("zone-sizes").textContent = byId("zones").checked ? this.zoneSizes() : "";
    this.timeline.show(now);
    const isEnd = frame === frames - 1;
    const part = isEnd ? "" : `, frame ${frame + 1} of ${frames}`;
    const last = turnNames.at(-1).split("+")[0];
    byId("place").textContent = `Turn ${turnNames[step]} of ${last}${part}`;
    Object.assign(document.documentElement.dataset, { turn: turnNames[step], step, frame });
    const sentence = this.game.sentenceOf(now);
    byId("board").setAttribute("aria-label", sentence);
    // A reader of the screen would never finish while the game plays.
    if (!this.timer) byId("spoken").textContent = sentence + part;
    this.turns.select(step);
    this.moved(turnNames[step], isEnd ? null : frame + 1);
  }

  /** Returns the moment of a named turn, and of a frame of it if it is given. */
  momentOf({ turn, frame }) {
    const { ends, moments } = this.positions;
    const step = this.game.turnNames.indexOf(turn);
    if (step < 0) return turn === null ? 0 : moments.length - 1;
    return frame ? Math.min(ends[step], (ends[step - 1] ?? 0) + Number(frame)) : ends[step];
  }

  stepBy(count) {
    const { moments, at, ends } = this.positions;
    this.pause();
    const { step } = moments[at];
    // From within a turn, the first step forward leads to its end.
    const isWithin = count > 0 && at < ends[step];
    this.go(ends[Math.max(0, Math.min(this.game.steps.length, step + count - isWithin))]);
  }

  frameBy(count) {
    this.pause();
    this.go(this.positions.at + count);
  }

  pause() {
    const { moments, at } = this.positions;
    if (this.timer) byId("spoken").textContent = this.game.sentenceOf(moments[at]);
    clearTimeout(this.timer);
    this.timer = null;
    this.showPlay();
  }

  play() {
    const { moments, at } = this.positions;
    if (at === moments.length - 1) this.go(0);
    this.timer = setTimeout(() => this.tick(), 1000 / this.speed);
    this.showPlay();
  }

  tick() {
    const { moments } = this.positions;
    this.go(this.positions.at + 1);
    if (this.positions.at === moments.length - 1) return this.pause();
    const { frame, frames } = moments[this.positions.at];
    // The end of a turn of several frames is held, so that the turns are distinct.
    const isHeld = frames > 1 && frame === frames - 1;
    this.timer = setTimeout(() => this.tick(), (1000 / this.speed) * (isHeld ? 2 : 1));
  }

  // ---- Controls

  buildControls(root) {
    for (const choice of SPEEDS) add(byId("speed"), "option", "", `${choice} / s`).value = choice;
    this.setSpeed(SPEEDS.indexOf(this.speed));
    byId("speed").addEventListener("change", () => this.setSpeed(byId("speed").selectedIndex));
    byId("zones-label").hidden = !this.positions.hasZones;
    byId("zones").addEventListener("change", () => this.go(this.positions.at));
    const toEnd = () => (this.pause(), this.go(Infinity));
    const toStart = () => (this.pause(), this.go(0));
    const playOrPause = () => (this.timer ? this.pause() : this.play());
    const actions = {
      first: toStart,
      back: () => this.stepBy(-1),
      play: playOrPause,
      forward: () => this.stepBy(1),
      last: toEnd,
      theme: switchTheme,
      help: () => byId("help").showModal(),
      close: () => byId("help").close(),
    };
    this.keys = {
      ArrowLeft: (event) => (event.shiftKey ? this.frameBy(-1) : this.stepBy(-1)),
      ArrowRight: (event) => (event.shiftKey ? this.frameBy(1) : this.stepBy(1)),
      ArrowUp: () => this.frameBy(-1),
      ArrowDown: () => this.frameBy(1),
      Home: toStart,
      End: toEnd,
      " ": playOrPause,
      "+": () => this.setSpeed(SPEEDS.indexOf(this.speed) + 1),
      "-": () => this.setSpeed(SPEEDS.indexOf(this.speed) - 1),
      "?": actions.help,
      t: switchTheme,
      z: () => this.positions.hasZones && byId("zones").click(),
    };
    this.listeners = new AbortController();
    const { signal } = this.listeners;
    root.addEventListener("click", (event) => {
      actions[event.target.closest("[data-do]")?.dataset.do]?.();
    }, { signal });
    document.addEventListener("keydown", (event) => this.press(event), { signal });
    addEventListener("resize", () => this.turns.select(this.turns.selected), { signal });
  }

  press(event) {
    if (event.ctrlKey || event.altKey || event.metaKey || byId("help").open) return;
    const { target } = event;
    // Boxes scroll, lists choose, and buttons are pressed by the same keys.
    if (target.closest("select, .box, .scrolls")) return;
    if (event.key === " " && target.closest("button, input, summary")) return;
    // In games without intermediate frames these two scroll the page, as usual.
    const { moments, ends } = this.positions;
    if (/^Arrow(Up|Down)$/.test(event.key) && moments.length === ends.length) return;
    const action = this.keys[event.key];
    if (!action) return;
    event.preventDefault();
    action(event);
  }

  showPlay() {
    const button = byId("play");
    const icon = this.timer ? "M3 2v12h4V2zM9 2v12h4V2z" : "M4 2v12l9-6z";
    button.querySelector("path").setAttribute("d", icon);
    button.setAttribute("aria-label", this.timer ? "Pause" : "Play");
  }

  setSpeed(index) {
    this.speed = SPEEDS[Math.max(0, Math.min(SPEEDS.length - 1, index))];
    byId("speed").value = this.speed;
  }
}

let addressTimer = null;

/**
 * Writes the address, unless another one is opened meanwhile. Browsers refuse more than about a
 * hundred changes in some seconds.
 */
function keepAddress(address) {
  clearTimeout(addressTimer);
  const before = location.hash;
  addressTimer = setTimeout(() => {
    if (location.hash !== before || before === address) return;
    // A page may have another base.
    history.replaceState(null, "", location.pathname + location.search + address);
  }, 200);
}
