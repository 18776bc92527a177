// Positions and drawings of a replay document (`referee/report/replay.rs` writes it). This file
// knows the shapes and paints of boards, but neither rules nor the page around a drawing.

const SVG = "http://www.w3.org/2000/svg";
// Distance between neighbouring cells, in units of the drawing.
const CELL = 20;
// Seeds drawn in a pit and in a store. The number beside them is always exact.
const PIT_SEEDS = 15;
const STORE_SEEDS = 48;
// Least size of a text, in pixels of the page.
const LEAST_TEXT = 12;
// Width of a letter as a share of its size. That of bold digits is 0.7 in DejaVu Sans.
const LETTER = 0.7;
// Duration of a slide, in milliseconds. Not tuned.
const SLIDE_MS = 160;
// Layers of a position: for each cell its kind, its zone, and the cell before it on a trail.
const [KIND, ZONE, LINK] = [0, 1, 2];

/** Creates an SVG element in `parent`. */
function svgElement(parent, name, attributes = {}) {
  const element = document.createElementNS(SVG, name);
  for (const key in attributes) element.setAttribute(key, attributes[key]);
  return parent.appendChild(element);
}

/** Returns the classes of a paint: "head2" is painted as "head" in the colour of seat 2. */
function paintClasses(paint) {
  const [, word, number] = /^([a-z]+)(\d*)$/.exec(paint) ?? [, "free", ""];
  if (number === "") return word;
  return word === "colour" ? `colour c${number % 16}` : `${word} by${number % 8}`;
}

/**
 * Positions of a game. A moment is one frame: moment 0 is the start, and every frame of every step
 * follows. Each moment keeps its changes with the values before, so both directions are quick.
 */
class Positions {
  constructor({ board, players, start, steps }) {
    this.board = board;
    this.seats = players.length;
    this.paints = board.kinds.map((kind) => kind.paint);
    const cells = board.width * board.height + (board.shape === "pits" ? 2 : 0);
    this.layers = [KIND, ZONE, LINK].map(() => new Array(cells).fill(-1));
    this.moments = [];
    this.hasZones = false;
    const heads = new Map();
    const add = (step, frame, frames, data) => {
      const scores = data.scores ?? this.moments.at(-1)?.scores ?? [];
      const changes = this.changesOf(data, heads);
      const { marks = [], label = null } = data;
      this.moments.push({ step, frame, frames, scores, marks, label, changes });
      this.apply(changes, 3);
    };
    add(0, 0, 1, start);
    // Moment of the last frame of each step; that of step 0 is the start.
    this.ends = [0];
    steps.forEach((step, i) => {
      step.frames.forEach((data, f) => add(i + 1, f, step.frames.length, data));
      this.ends.push(this.moments.length - 1);
    });
    this.at = this.moments.length - 1;
    this.moveTo(0);
  }

  /** Returns the changes of a frame: four numbers each, layer, cell, value before and after. */
  changesOf(data, heads) {
    const changes = [];
    const add = (layer, cell, value) => {
      const before = this.layers[layer][cell];
      if (before !== undefined && before !== value) changes.push(layer, cell, before, value);
    };
    for (const [cell, kind] of data.set) {
      add(KIND, cell, kind);
      const paint = this.paints[kind];
      if (!paint?.startsWith("head")) continue;
      // A head that moved by one cell pulls its trail along.
      const from = heads.get(paint) ?? -1;
      add(LINK, cell, this.areNeighbours(cell, from) ? from : -1);
      heads.set(paint, cell);
    }
    for (const [cell, zone] of data.zones ?? []) {
      this.hasZones = true;
      add(ZONE, cell, zone);
    }
    return changes;
  }

  areNeighbours(one, other) {
    const { width } = this.board;
    const rows = Math.abs(Math.floor(one / width) - Math.floor(other / width));
    return other >= 0 && rows + Math.abs((one % width) - (other % width)) === 1;
  }

  /** Sets the values at `offset` of the changes: 2 for those before, 3 for those after. */
  apply(changes, offset, changed) {
    for (let i = 0; i < changes.length; i += 4) {
      this.layers[changes[i]][changes[i + 1]] = changes[i + offset];
      changed?.add(changes[i + 1]);
    }
  }

  /** Moves to a moment and returns the set of cells that changed. */
  moveTo(moment) {
    const changed = new Set();
    while (this.at < moment) this.apply(this.moments[++this.at].changes, 3, changed);
    while (this.at > moment) this.apply(this.moments[this.at--].changes, 2, changed);
    return changed;
  }
}

/** Returns the geometry of a board: its size, and for each cell the centre and the outline. */
function geometryOf({ shape, width, height }) {
  const column = (cell) => cell % width;
  const row = (cell) => Math.floor(cell / width);
  if (shape === "hex") {
    const rowHeight = (CELL * Math.sqrt(3)) / 2;
    const radius = (CELL / Math.sqrt(3)) * 0.94;
    const centre = (cell) => [
      CELL * (column(cell) + 0.5 + (row(cell) % 2) / 2) + 1,
      rowHeight * (row(cell) + 0.5) + 3,
    ];
    const corner = ([x, y], i) => {
      const angle = (Math.PI / 3) * (i + 0.5);
      return [x + radius * Math.cos(angle), y + radius * Math.sin(angle)].map((n) => n.toFixed(2));
    };
    return {
      size: [CELL * (width + 0.5) + 2, rowHeight * height + 6],
      centre,
      outline: (parent, cell) => {
        const corners = [0, 1, 2, 3, 4, 5].map((i) => corner(centre(cell), i));
        return svgElement(parent, "polygon", { points: corners.join(" ") });
      },
    };
  }
  if (shape === "pits") {
    // The store of seat 0 is on the right, where its row is sown to.
    const pits = width * height;
    const right = 36 + width * 24;
    const centre = (cell) => {
      if (cell === pits) return [right + 13, 34.5];
      if (cell > pits) return [19, 34.5];
      return [44 + column(cell) * 24, row(cell) === 0 ? 18 : 51];
    };
    return {
      size: [right + 32, 69],
      centre,
      outline: (parent, cell) => {
        const [x, y] = centre(cell);
        const store = { x: x - 11, y: y - 25, width: 22, height: 50, rx: 11 };
        if (cell >= pits) return svgElement(parent, "rect", store);
        return svgElement(parent, "circle", { cx: x, cy: y, r: 10.5 });
      },
    };
  }
  const centre = (cell) => [CELL * (column(cell) + 0.5) + 1, CELL * (row(cell) + 0.5) + 1];
  return {
    size: [CELL * width + 2, CELL * height + 2],
    centre,
    outline: (parent, cell) => {
      const [x, y] = centre(cell);
      const side = CELL - 1;
      const corner = { x: x - side / 2, y: y - side / 2, rx: 2 };
      return svgElement(parent, "rect", { ...corner, width: side, height: side });
    },
  };
}

/** Number of drawings on the page; their patterns need different names. */
let drawings = 0;

/** Drawing of a board in an `<svg>` element. */
class BoardView {
  constructor(svg, positions) {
    this.svg = svg;
    this.positions = positions;
    const { board } = positions;
    this.isPits = board.shape === "pits";
    this.pits = board.width * board.height;
    this.geometry = geometryOf(board);
    this.name = `drawing${drawings++}`;
    const [width, height] = this.geometry.size;
    svg.replaceChildren();
    svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    svg.classList.add("board", board.shape);
    svg.classList.toggle("slides", board.slides);
    svg.classList.toggle("trails", positions.paints.some((paint) => paint.startsWith("head")));
    svg.classList.toggle("colours", positions.paints.some((paint) => paint.startsWith("colour")));
    this.addPatterns();
    if (this.isPits) svgElement(svg, "rect", { class: "wood", width, height, rx: 14 });
    const layers = ["ground", "zones", "trail", "glyphs", "marks"];
    [this.ground, this.zones, this.trail, this.glyphs, this.marks] = layers.map((layer) =>
      svgElement(svg, "g", { class: layer }),
    );
    const cells = [...positions.layers[KIND].keys()];
    this.cells = cells.map((cell) => this.geometry.outline(this.ground, cell));
    cells.forEach((cell) => this.cells[cell].setAttribute("data-cell", cell));
    [this.texts, this.owners, this.lines, this.seeds, this.pitNumbers] = [[], [], [], [], []];
    if (this.isPits) this.addPitNumbers();
    this.fitTexts();
    new ResizeObserver(() => this.fitTexts()).observe(svg);
  }

  /** Draws all cells, with texts that can be read at the present size of the drawing. */
  fitTexts() {
    const [width, height] = this.geometry.size;
    const box = this.svg.getBoundingClientRect();
    const scale = Math.min(box.width / width, box.height / height);
    this.leastText = scale > 0 ? LEAST_TEXT / scale : 0;
    for (const text of this.pitNumbers) text.style.fontSize = `${Math.max(4, this.leastText)}px`;
    this.draw(this.cells.keys());
  }

  /** Adds a hatching for each seat, which differs in direction too. */
  addPatterns() {
    const definitions = svgElement(this.svg, "defs");
    for (let seat = 0; seat <= 8; seat++) {
      const pattern = svgElement(definitions, "pattern", {
        id: `${this.name}-zone${seat}`,
        class: seat === 8 ? "shared" : `by${seat}`,
        width: 5,
        height: 5,
        patternUnits: "userSpaceOnUse",
        patternTransform: `rotate(${45 + seat * 90 - (seat > 1) * 45 - (seat > 3) * 22})`,
      });
      svgElement(pattern, "rect", { class: "tint", width: 5, height: 5 });
      if (seat < 8) svgElement(pattern, "rect", { class: "hatch", width: 5, height: 1.4 });
      else svgElement(pattern, "circle", { class: "hatch", cx: 2.5, cy: 2.5, r: 1 });
    }
  }

  /** Writes the number of each pit, as its owner counts, between the rows. */
  addPitNumbers() {
    const { width } = this.positions.board;
    for (let cell = 0; cell < this.pits; cell++) {
      const [x] = this.geometry.centre(cell);
      const isUpper = cell < width;
      const place = { x, y: isUpper ? 31.6 : 37.4 };
      const text = svgElement(this.svg, "text", { class: "pit-number", ...place });
      this.pitNumbers.push(text);
      text.textContent = isUpper ? width - 1 - cell : cell - width;
    }
  }

  /** Moves to a moment. Slides and seeds are animated in single steps of at least `pace` ms. */
  show(moment, { zones, pace }) {
    const { at } = this.positions;
    const changed = this.positions.moveTo(moment);
    const isAnimated = Math.abs(moment - at) === 1 && pace > 40;
    if (zones !== this.showsZones) {
      this.showsZones = zones;
      this.svg.classList.toggle("with-zones", zones);
      this.draw(this.cells.keys());
    } else {
      this.draw(changed, isAnimated && moment > at);
    }
    const { marks, label } = this.positions.moments[moment];
    this.svg.classList.toggle("labelled", label !== null);
    this.marks.replaceChildren();
    for (const cell of marks) {
      if (!this.cells[cell]) continue;
      const mark = this.geometry.outline(this.marks, cell);
      mark.setAttribute("class", "mark");
      mark.setAttribute("data-mark", cell);
    }
    const isSlide = isAnimated && this.positions.board.slides;
    if (isSlide) this.slide([...changed], Math.min(pace, SLIDE_MS));
  }

  /** Draws the current content of cells. */
  draw(cells, isAnimated = false) {
    const { layers, board } = this.positions;
    for (const cell of cells) {
      const kind = board.kinds[layers[KIND][cell]] ?? { paint: "free", text: "" };
      const paint = paintClasses(kind.paint);
      const element = this.cells[cell];
      element.setAttribute("class", `cell ${paint} ${this.ownerOfPit(cell)}`);
      this.drawText(cell, paint, kind);
      if (this.isPits) this.drawSeeds(cell, Number(kind.text) || 0, isAnimated);
      this.drawZone(cell, layers[ZONE][cell]);
      this.drawTrail(cell, paint, layers[LINK][cell]);
    }
  }

  ownerOfPit(cell) {
    if (!this.isPits) return "";
    if (cell >= this.pits) return `by${cell - this.pits}`;
    return cell < this.positions.board.width ? "by1" : "by0";
  }

  drawText(cell, paint, { text }) {
    if (!text && !this.texts[cell]) return;
    let [x, y] = this.geometry.centre(cell);
    let size = CELL * (text.length > 2 ? 0.36 : this.positions.board.slides ? 0.5 : 0.58);
    if (this.isPits) {
      // Numbers are outside of the pits, and at the foot of the stores.
      size = cell < this.pits ? 5.5 : 7;
      y += cell >= this.pits ? 19 : cell < this.positions.board.width ? -13.2 : 13.2;
    }
    const element = (this.texts[cell] ??= svgElement(this.glyphs, "text", { x, y, "data-glyph": cell }));
    size = Math.max(size, this.leastText);
    // Letters beyond their cells would cover each other.
    const hasRoom = Math.max(1, LETTER * text.length) * this.leastText <= CELL;
    element.setAttribute("display", hasRoom ? "inline" : "none");
    element.setAttribute("class", `glyph ${paint}`);
    element.setAttribute("font-size", size);
    element.textContent = text.slice(0, 4);
  }

  drawSeeds(cell, count, isAnimated) {
    const isStore = cell >= this.pits;
    const group = { class: "seeds", "data-seeds": cell };
    const seeds = (this.seeds[cell] ??= svgElement(this.trail, "g", group));
    const [x, y] = this.geometry.centre(cell);
    const shown = Math.min(count, isStore ? STORE_SEEDS : PIT_SEEDS);
    while (seeds.childNodes.length > shown) seeds.lastChild.remove();
    const isNew = shown === seeds.childNodes.length + 1;
    while (seeds.childNodes.length < shown) {
      const i = seeds.childNodes.length;
      // Seeds lie on a spiral of the golden angle in a pit, and in rows of four in a store.
      const [radius, angle] = [2.1 * Math.sqrt(i + 1), i * 2.39996 + cell];
      const [dx, dy] = isStore
        ? [4.2 * ((i % 4) - 1.5) + ((i >> 2) % 2 ? 0.8 : -0.8), 11 - 2.9 * (i >> 2) - (i % 3) * 0.3]
        : [radius * Math.cos(angle), radius * Math.sin(angle)];
      const place = { cx: x + dx, cy: y + dy, r: isStore ? 1.5 : 1.75 };
      svgElement(seeds, "circle", { ...place, class: `seed s${(i * 7 + cell) % 3}` });
    }
    if (isAnimated && isNew) {
      const grow = [{ r: "4px", opacity: 0.2 }, {}];
      seeds.lastChild.animate(grow, { duration: SLIDE_MS, easing: "ease-out" });
    }
  }

  drawZone(cell, zone) {
    const isDrawn = this.showsZones && zone >= 0;
    this.cells[cell].setAttribute("data-zone", zone);
    this.cells[cell].classList.toggle("unzoned", Boolean(this.showsZones) && zone < 0);
    if (!isDrawn && !this.owners[cell]) return;
    const element = (this.owners[cell] ??= this.geometry.outline(this.zones, cell));
    // The number after the last seat means several seats.
    const seat = zone >= this.positions.seats ? 8 : zone % 8;
    element.setAttribute("fill", isDrawn ? `url(#${this.name}-zone${seat})` : "none");
  }

  /** Draws the trail of a head as a line from cell to cell. */
  drawTrail(cell, paint, from) {
    const isTrail = /^(seat|head) by/.test(paint) && this.svg.classList.contains("trails");
    if (!isTrail && !this.lines[cell]) return;
    const line = (this.lines[cell] ??= svgElement(this.trail, "path"));
    const [x, y] = this.geometry.centre(cell);
    const [fromX, fromY] = from < 0 ? [x, y] : this.geometry.centre(from);
    line.setAttribute("class", `line ${paint}`);
    line.setAttribute("d", isTrail ? `M${fromX} ${fromY}L${x} ${y}` : "");
  }

  /** Moves the tile that changed places with the blank. */
  slide(changed, duration) {
    const { layers, paints } = this.positions;
    const isBlank = (cell) => paints[layers[KIND][cell]] === "blank";
    if (changed.length !== 2 || isBlank(changed[0]) === isBlank(changed[1])) return;
    const [from, to] = isBlank(changed[0]) ? changed : [changed[1], changed[0]];
    const [fromX, fromY] = this.geometry.centre(from);
    const [toX, toY] = this.geometry.centre(to);
    const start = `translate(${fromX - toX}px, ${fromY - toY}px)`;
    const path = [{ transform: start }, { transform: "none" }];
    // The tile passes above its neighbours.
    this.ground.append(this.cells[to]);
    for (const element of [this.cells[to], this.texts[to]]) {
      element?.animate(path, { duration, easing: "ease-in-out" });
    }
  }
}

/** Picture of a game whose rules run elsewhere: lines of text, or an SVG document as an image. */
class PictureView {
  constructor(svg, positions) {
    Object.assign(this, { svg, positions });
    svg.classList.add("board", "picture");
    svg.parentElement.classList.add("scrolls");
    svg.parentElement.tabIndex = 0;
  }

  show(moment) {
    const { board, layers } = this.positions;
    this.positions.moveTo(moment);
    const { text } = board.kinds[layers[KIND][0]] ?? { text: "" };
    this.svg.replaceChildren();
    if (text.startsWith("<svg")) {
      this.svg.setAttribute("viewBox", "0 0 100 100");
      const href = `data:image/svg+xml,${encodeURIComponent(text)}`;
      svgElement(this.svg, "image", { href, width: 100, height: 100 });
      return;
    }
    const lines = text.trimEnd().split("\n");
    const widest = Math.max(...lines.map((line) => [...line].length), 1);
    const [width, height] = [(widest + 2) * 8.5, (lines.length + 1) * 18];
    this.svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    // Below this size the letters of 14 units could not be read, and the frame scrolls.
    const least = LEAST_TEXT / 14;
    this.svg.style.minWidth = `${width * least}px`;
    this.svg.style.minHeight = `${height * least}px`;
    lines.forEach((line, number) => {
      const place = { class: "letters", x: 8.5, y: 18 * (number + 1) };
      svgElement(this.svg, "text", place).textContent = visible(line);
    });
  }
}
