// Texts, elements and the theme: what both pages need. Everything in a document may come from a
// player, so it is set as text only.

// Characters of a text that are shown before a button shows all of it. Not tuned.
const MOST_SHOWN = 4000;

// Time between two loads of the page of a match that is being played, in milliseconds.
const RELOAD_MS = 2000;

const byId = (id) => document.getElementById(id);

/** Returns a document of a page: JSON, deflated, in letters. */
async function unpack(letters) {
  const bytes = Uint8Array.from(atob(letters.trim()), (letter) => letter.charCodeAt(0));
  const inflated = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return JSON.parse(await new Response(inflated).text());
}

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
  const hidden = /[\0-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060\u2066-\u2069\ufeff]/g;
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

function countOf(count, what) {
  return `${count.toLocaleString("en")} ${what}${count === 1 ? "" : "s"}`;
}

/** Returns the letter of a seat, as boards draw it. Digits would look like scores. */
function letterOf(seat) {
  return String.fromCharCode("A".charCodeAt(0) + seat);
}

/** Adds the badge of a seat, in its colour. Its tooltip is the number that commands take. */
function addBadge(parent, seat) {
  const badge = add(parent, "span", `badge by${seat % 8}`, letterOf(seat));
  badge.title = `Seat ${seat}`;
  return badge;
}

/** Adds a player on one of `seats` seats: its badge, unless it plays alone, name and score. */
function addSeated(parent, { seat, seats, name, score = null }) {
  const seated = add(parent, "span", `seat by${seat % 8}`);
  if (seats > 1) addBadge(seated, seat);
  addText(seated, "name", name, 60).title = brief(name, 400);
  if (score !== null) add(seated, "span", "points", `${score}`);
  return seated;
}

/** Returns a text about one of `seats` seats, with its letter unless it plays alone. */
function ofSeat(seat, seats, text) {
  return seats > 1 ? `${letterOf(seat)}: ${text}` : text;
}

/** Adds a long text in a box that scrolls; its end is shown on request. */
function addBox(parent, classes, text) {
  const box = add(parent, "pre", `box ${classes}`, visible(text.slice(0, MOST_SHOWN), true));
  if (text.length > MOST_SHOWN) {
    const more = add(box, "button", "more", `… Show all ${countOf(text.length, "character")}`);
    more.addEventListener("click", () => (box.textContent = visible(text, true)));
  }
  // Boxes that scroll must be reachable by keyboard.
  if (text.length > 120) box.tabIndex = 0;
  return box;
}

function milliseconds(ms) {
  if (ms > 0 && ms < 0.1) return `${(ms * 1000).toFixed(0)} µs`;
  if (ms >= 10000) return `${(ms / 1000).toFixed(1)} s`;
  return `${ms.toFixed(ms < 10 ? 1 : 0)} ms`;
}

function ordinal(rank) {
  const isTeen = Math.floor(rank / 10) % 10 === 1;
  const ending = isTeen ? "th" : ({ 1: "st", 2: "nd", 3: "rd" }[rank % 10] ?? "th");
  return `${rank}${ending}`;
}

/** Returns a path as a word of a command line. */
function quoted(path) {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}

/** Returns the seats that share the first rank. */
function winnersOf(ranks) {
  const best = Math.min(...ranks);
  return [...ranks.keys()].filter((seat) => ranks[seat] === best);
}

/**
 * List of many rows, of which only those in view are in the page. `build` fills the row of a
 * number.
 */
class LongList {
  constructor(box, rows, count, build) {
    Object.assign(this, { box, rows, count, build, selected: -1 });
    box.addEventListener("scroll", () => this.show());
    rows.addEventListener("click", (event) => {
      const row = event.target.closest(".row");
      if (row) this.picked?.(Number(row.dataset.row));
    });
  }

  rowHeight() {
    const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
    return rem * parseFloat(getComputedStyle(this.box).getPropertyValue("--row-height"));
  }

  show() {
    const height = this.rowHeight();
    this.rows.style.height = `${this.count * height}px`;
    const first = Math.max(0, Math.floor(this.box.scrollTop / height) - 4);
    const last = Math.min(this.count, first + Math.ceil(this.box.clientHeight / height) + 8);
    for (const row of [...this.rows.children]) {
      const number = Number(row.dataset.row);
      if (number < first || number >= last) row.remove();
    }
    // Rows that stay in view keep their elements, or a click that began on one would be lost.
    const rows = new Map([...this.rows.children].map((row) => [Number(row.dataset.row), row]));
    for (let number = first; number < last; number++) {
      const row = rows.get(number) ?? this.addRow(number, this.rows.children[number - first]);
      row.setAttribute("aria-selected", number === this.selected);
      row.style.top = `${number * height}px`;
    }
    this.box.setAttribute("aria-activedescendant", `${this.rows.id}-${this.selected}`);
  }

  addRow(number, next = null) {
    const row = add(this.rows, "div", "row");
    this.rows.insertBefore(row, next);
    row.id = `${this.rows.id}-${number}`;
    row.dataset.row = number;
    row.setAttribute("role", "option");
    row.setAttribute("aria-setsize", this.count);
    row.setAttribute("aria-posinset", number + 1);
    this.build(row, number);
    return row;
  }

  /** Replaces all rows by `count` others. */
  replace(count) {
    this.count = count;
    this.rows.replaceChildren();
  }

  /** Selects a row and scrolls to it. */
  select(number) {
    this.selected = number;
    const height = this.rowHeight();
    this.rows.style.height = `${this.count * height}px`;
    const [top, view] = [number * height, this.box.clientHeight];
    const { scrollTop } = this.box;
    if (top < scrollTop + height || top > scrollTop + view - 2 * height) {
      this.box.scrollTop = top - view / 2;
    }
    this.show();
  }
}

// ---- Theme, which is kept where the browser keeps things for files

function keep(name, value) {
  try {
    sessionStorage.setItem(name, value);
  } catch {
    // Some browsers keep nothing for files; the page then begins anew.
  }
}

function kept(name) {
  try {
    return sessionStorage.getItem(name);
  } catch {
    return null;
  }
}

function setTheme(theme) {
  document.documentElement.dataset.theme = theme;
  keep("theme", theme);
}

function switchTheme() {
  const root = document.documentElement;
  const isDark = getComputedStyle(root).colorScheme === "dark"
    || (root.dataset.theme === undefined && matchMedia("(prefers-color-scheme: dark)").matches);
  setTheme(isDark ? "light" : "dark");
}

if (kept("theme")) setTheme(kept("theme"));

// ---- Buttons and keys of a page around its viewer

/**
 * Acts on buttons by the names of their actions, and on keys. While a game is open, its viewer
 * switches the theme, and keys lead back to the list and to its neighbours.
 */
function listen(actions = {}, isOpen = () => false) {
  document.addEventListener("click", ({ target }) => {
    const { do: action } = target.closest("[data-do]")?.dataset ?? {};
    if (action === "theme" && !isOpen()) switchTheme();
    actions[action]?.();
  });
  document.addEventListener("keydown", ({ key, ctrlKey, altKey, metaKey, target }) => {
    if (ctrlKey || altKey || metaKey || target.closest("input, select")) return;
    if (byId("help")?.open) return;
    const { list: Escape, next: n, previous: p } = actions;
    (isOpen() ? { Escape, n, p } : { t: switchTheme })[key]?.();
  });
}
