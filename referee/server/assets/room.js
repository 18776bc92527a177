// Parts of a page that are renewed, and the page of a game.

const { events } = document.body.dataset;
const viewed = byId("viewer");
const stream = events ? new EventSource(events) : null;

stream?.addEventListener("parts", ({ data }) => {
  for (const [id, html] of Object.entries(JSON.parse(data))) {
    const part = byId(id);
    // The server has escaped what people and programs wrote.
    if (part) part.innerHTML = html;
  }
});

/** Writes the time that is left until each deadline on the page. */
function showTimeLeft() {
  for (const clock of document.querySelectorAll("[data-until]")) {
    const left = Math.max(0, Math.round(clock.dataset.until - Date.now() / 1000));
    const [days, hours] = [Math.floor(left / 86400), Math.floor(left / 3600) % 24];
    const [minutes, seconds] = [Math.floor(left / 60) % 60, left % 60].map((of) => `${of}`.padStart(2, "0"));
    clock.textContent = days ? `${days} d ${hours} h` : `${hours}:${minutes}:${seconds}`;
  }
}

showTimeLeft();
setInterval(showTimeLeft, 1000);

// A move does not load the page again: the stream brings what is new.
document.addEventListener("submit", async (event) => {
  const { target: form, submitter } = event;
  if (!stream || !("quiet" in form.dataset)) return;
  event.preventDefault();
  const body = new URLSearchParams(new FormData(form, submitter));
  for (const button of form.elements) button.disabled = true;
  const answer = await fetch(form.action, { method: "POST", body });
  if (!answer.ok) location.reload();
});

// A page that will not change asks no more.
stream?.addEventListener("over", () => stream.close());

document.querySelector("[data-print]")?.addEventListener("click", () => print());

/** Shows a game, again whenever it has gone on. The turn that is looked at stays. */
class LiveGame {
  constructor(root) {
    this.root = root;
    this.number = root.dataset.game;
    this.viewer = null;
    this.turn = null;
  }

  async show(isOver) {
    const answer = await fetch(`game/${this.number}/data`);
    if (!answer.ok) return;
    const record = await answer.json();
    const isAtEnd = !this.viewer || this.isAtEnd();
    if (!isAtEnd && !isOver) return;
    this.viewer?.close();
    const at = { turn: isAtEnd && stream ? "last" : this.turn, frame: null };
    this.viewer = new Viewer(this.root, record, { at, moved: (turn) => (this.turn = turn) });
    document.documentElement.dataset.ready = Math.round(performance.now());
  }

  isAtEnd() {
    const { at, moments } = this.viewer.positions;
    return at === moments.length - 1;
  }
}

if (viewed?.dataset.game) {
  const game = new LiveGame(viewed);
  await game.show(false);
  stream?.addEventListener("steps", () => game.show(false));
  stream?.addEventListener("over", async () => {
    stream.close();
    byId("live-mark").hidden = true;
    await game.show(true);
  });
}
