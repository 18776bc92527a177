// Timeline of a game: scores, evaluations and clocks, with one unit of width for each step.

// Least width of a turn of several frames in which a click finds a frame, in pixels. Not tuned.
const WIDE_TURN = 48;

class Timeline {
  constructor(element, game) {
    Object.assign(this, { element, game, playheads: [] });
    this.width = Math.max(game.steps.length, 1);
    this.build();
    const pick = (event) => this.picked?.(this.momentAt(event.clientX));
    element.addEventListener("pointerdown", (event) => {
      element.setPointerCapture(event.pointerId);
      pick(event);
    });
    element.addEventListener("pointermove", (event) => event.buttons & 1 && pick(event));
  }

  /** Moves to a moment. */
  show(moment) {
    const x = this.placeOf(moment);
    for (const playhead of this.playheads) playhead.setAttribute("d", `M${x} 0V100`);
    this.element.setAttribute("aria-valuemax", this.game.steps.length);
    this.element.setAttribute("aria-valuenow", moment.step);
    this.element.setAttribute("aria-valuetext", this.game.sentenceOf(moment));
  }

  placeOf({ step, frame, frames }) {
    return step === 0 ? 0 : step - 1 + (frame + 1) / frames;
  }

  /** Returns the moment at a pixel. */
  momentAt(pixel) {
    const { steps, positions: { ends } } = this.game;
    const { left, width: pixels } = this.element.querySelector("svg").getBoundingClientRect();
    const x = ((pixel - left) / pixels) * this.width;
    if (x <= 0) return 0;
    const step = Math.min(Math.floor(x), steps.length - 1) + 1;
    if (pixels / this.width < WIDE_TURN || step === 0) return ends[step] ?? 0;
    const frames = ends[step] - ends[step - 1];
    return ends[step - 1] + Math.max(1, Math.min(frames, Math.ceil((x - step + 1) * frames)));
  }

  /** Adds a lane of a name or a seat, and returns its drawing, which is 100 units high. */
  addLane({ name = "", seat = null, classes, scale = "", help = "" }) {
    const lane = add(this.element, "div", `lane ${classes}`);
    const title = add(lane, "span", "lane-name");
    lane.title = help;
    if (seat === null) title.textContent = name;
    else this.game.addPlayer(title, seat);
    add(lane, "span", "scale", scale);
    const box = { viewBox: `0 0 ${this.width} 100`, preserveAspectRatio: "none" };
    const svg = svgElement(lane, "svg", box);
    svg.setAttribute("aria-hidden", "true");
    return svg;
  }

  addPath(svg, classes, d) {
    return svgElement(svg, "path", { class: classes, d });
  }

  addPlayhead(svg) {
    this.playheads.push(this.addPath(svg, "playhead", ""));
  }

  build() {
    const { players, steps, isDuel, positions: { moments } } = this.game;
    const events = [];
    for (const moment of moments) {
      if (moment.label !== null) events.push([this.placeOf(moment), "event"]);
    }
    this.game.out.forEach((out, i) => out.length && events.push([i + 0.5, "event out"]));
    if (events.length) {
      const help = "Labels, and players that go out";
      const svg = this.addLane({ name: "events", classes: "events", help });
      for (const [x, classes] of events) this.addPath(svg, classes, `M${x} 10V90`);
      this.addPlayhead(svg);
    }
    if (moments.some(({ scores }) => scores.length)) this.buildScores();
    // A single evaluation is no curve, and a single time no series.
    if (steps.filter((step) => this.game.evaluationOf(step)).length > 1) {
      const scale = `up is good for ${isDuel ? letterOf(0) : "the mover"}`;
      this.buildEvaluations(this.addLane({ name: "evaluation", classes: "graph", scale }));
    }
    this.buildClocks();
    if (!this.element.firstChild) this.addPlayhead(this.addLane({ name: "turns", classes: "clock" }));
  }

  buildScores() {
    const { players, positions: { moments } } = this.game;
    const all = moments.flatMap(({ scores }) => scores);
    const [least, most] = all.reduce(([a, b], s) => [Math.min(a, s), Math.max(b, s)], [0, 1]);
    const svg = this.addLane({ name: "scores", classes: "graph", scale: `${least} to ${most}` });
    const y = (score) => (96 - (92 * (score - least)) / (most - least)).toFixed(1);
    players.forEach((_, seat) => {
      let path = "";
      let before = null;
      for (const moment of moments) {
        const score = moment.scores[seat];
        if (score === undefined || score === before) continue;
        const x = this.placeOf(moment).toFixed(3);
        path += `${path ? "H" : "M"}${x}${path ? "V" : " "}${y(score)}`;
        before = score;
      }
      if (path) this.addPath(svg, `curve by${seat % 8}`, `${path}H${this.width}`);
    });
    this.addPlayhead(svg);
  }

  buildEvaluations(svg) {
    const { players, steps } = this.game;
    this.addPath(svg, "zero", `M0 50H${this.width}`);
    players.forEach((_, seat) => {
      let path = "";
      steps.forEach((step, i) => {
        if (step.seat !== seat || !this.game.evaluationOf(step)) return;
        const y = (50 - 46 * this.game.heightOf(step)).toFixed(1);
        path += `${path ? "L" : "M"}${i + 0.5} ${y}`;
      });
      // A curve of one point would be invisible.
      if (path) this.addPath(svg, `curve by${seat % 8}`, `${path}h.01`);
    });
    this.addPlayhead(svg);
  }

  /**
   * Adds a lane of each player's times. All have one scale: the greatest share of a limit, or the
   * longest time where there is none, is as high as a lane.
   */
  buildClocks() {
    const { players, steps } = this.game;
    const timed = steps.filter(({ ms }) => ms !== null);
    const longest = timed.reduce((most, { ms }) => Math.max(most, ms), 0);
    const shareOf = ({ ms, limit_ms: limit }) => ms / (limit || longest) || 0;
    const slowestOf = (all) => all.reduce((one, other) => (shareOf(other) > shareOf(one) ? other : one));
    const full = timed.length ? shareOf(slowestOf(timed)) : 0;
    const help = "Time of each move, as a share of its limit";
    players.forEach((_, seat) => {
      const own = timed.filter((step) => step.seat === seat);
      if (own.length < 2) return;
      const { ms, limit_ms: limit } = slowestOf(own);
      const scale = `max ${milliseconds(ms)}` + (limit === null ? "" : ` of ${milliseconds(limit)}`);
      const svg = this.addLane({ seat, classes: "clock", scale, help });
      this.buildClock(svg, seat, (step) => Math.max(4, (100 * shareOf(step)) / full || 0));
    });
  }

  buildClock(svg, seat, heightOf) {
    const bars = { bar: "", "bar over": "" };
    this.game.steps.forEach((step, i) => {
      if (step.seat !== seat || step.ms === null) return;
      const isOver = step.limit_ms !== null && step.ms > step.limit_ms;
      const height = heightOf(step).toFixed(1);
      bars[isOver ? "bar over" : "bar"] += `M${i + 0.05} 100v-${height}h.9v${height}z`;
    });
    for (const classes in bars) this.addPath(svg, `${classes} by${seat % 8}`, bars[classes]);
    this.addPlayhead(svg);
  }
}
