// A game of a document, with what its views need to know besides the positions.

class Game {
  constructor(record) {
    const { players, steps, board } = record;
    Object.assign(this, { record, players, steps });
    this.positions = new Positions(record);
    this.isDuel = players.length === 2;
    // Names of the turns, as the address gives them: the number of the move, or for a step without
    // a move that of the move before, and a count.
    this.turnNames = ["0"];
    let [ply, others] = [0, 0];
    for (const step of steps) {
      [ply, others] = step.ply === null ? [ply, others + 1] : [step.ply, 0];
      this.turnNames.push(others ? `${ply}+${others}` : `${ply}`);
    }
    // Colours of moves that are the text of a coloured cell.
    const colours = board.kinds.filter(({ paint }) => paint.startsWith("colour"));
    this.colours = new Map(colours.map(({ text, paint }) => [text, paintClasses(paint)]));
    // Players that go out with each step, in words: by their faults, or by the rules.
    this.out = steps.map(({ out }, i) => {
      const gone = [...players.keys()].filter((seat) => players[seat].out === i + 1);
      return out.length ? out : gone.map((seat) => ofSeat(seat, players.length, "out"));
    });
    // Typical size of each seat's scores: bots count in units of their own.
    this.typical = players.map((_, seat) => {
      // A share is drawn as it is, so a score beside it sets no size.
      const isSized = (step) => step.seat === seat && step.win === null && step.score !== null;
      const own = steps.filter(isSized);
      const sizes = own.map((step) => Math.abs(step.score)).sort((a, b) => a - b);
      return sizes[sizes.length >> 1] || 1;
    });
  }

  /** Returns the evaluation of a step, or `null`. In games of two it is that of seat 0. */
  evaluationOf({ seat, win, score }) {
    if (seat === null || (win === null && score === null)) return null;
    const isTurned = this.isDuel && seat === 1;
    const [isShare, value] = win === null ? [false, score] : [true, win];
    if (isShare) return { isShare, value: isTurned ? 1 - value : value };
    return { isShare, value: isTurned ? -value : value };
  }

  evaluationText(step) {
    const evaluation = this.evaluationOf(step);
    if (!evaluation) return "";
    const { isShare, value } = evaluation;
    if (isShare) return `${Math.round(value * 100)} %`;
    const digits = Number.isInteger(value) || Math.abs(value) >= 1000 ? 0 : 2;
    const text = Math.abs(value) >= 1e7 ? value.toExponential(1) : value.toFixed(digits);
    return value > 0 && this.players.length > 1 ? `+${text}` : text.replace("-", "−");
  }

  /** Returns the height of an evaluation, from -1 to 1. */
  heightOf(step) {
    const { isShare, value } = this.evaluationOf(step);
    if (isShare) return Math.max(-1, Math.min(1, 2 * value - 1));
    return value / (Math.abs(value) + this.typical[step.seat]);
  }

  addPlayer(parent, seat, score = null) {
    const { players } = this;
    return addSeated(parent, { seat, seats: players.length, name: players[seat].name, score });
  }

  /** Adds a move; one that names a colour is drawn like a cell of that colour. */
  addMove(parent, move, most) {
    return addText(parent, `what ${this.colours.get(move) ?? ""}`, move ?? "", most);
  }

  /** Returns what the step of a moment did, in words. */
  sentenceOf({ step, scores }) {
    if (step === 0) return "Start of the game";
    const { seat, move } = this.steps[step - 1];
    const parts = seat === null ? [] : [`${this.players[seat].name}: ${move}`];
    if (scores.length) parts.push(`score ${scores.join(" to ")}`);
    return brief(`Turn ${this.turnNames[step]}. ${[...parts, ...this.out[step - 1]].join(". ")}`, 300);
  }
}
