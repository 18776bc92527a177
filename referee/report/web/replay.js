// Page of one game.

const record = await unpack(byId("data").textContent);

/** Returns the turn and the frame that the address names. */
function placeInAddress() {
  const address = new URLSearchParams(location.hash.slice(1));
  return { turn: address.get("turn")?.replace(" ", "+") ?? null, frame: address.get("frame") };
}

const viewer = new Viewer(byId("viewer"), record, {
  at: placeInAddress(),
  moved: (turn, frame) => keepAddress(`#turn=${turn}${frame === null ? "" : `&frame=${frame}`}`),
});
addEventListener("hashchange", () => viewer.go(viewer.momentOf(placeInAddress())));
// Time until the page can be used, in milliseconds from the start of its loading.
document.documentElement.dataset.ready = Math.round(performance.now());
