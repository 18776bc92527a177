// Document of a match: its summary, the columns of its games, and the games in blocks.

const report = await unpack(byId("data").textContent);
const { summary, games } = report;
const names = summary.players.map((player) => player.name);
const count = games.number.length;
const isDuel = summary.seats === 2;

/** Returns the games of each block by number: where they are. */
function placesOf(blocks) {
  const places = new Map();
  blocks.forEach((numbers, block) => {
    numbers.forEach((number, at) => places.set(number, { block, at }));
  });
  return places;
}

const kinds = {
  frames: { places: placesOf(report.frames), lines: null },
  moves: { places: placesOf(report.moves), lines: null },
};

/** Returns the document of a game, with all positions or with its moves; `null` without both. */
async function documentOf(number) {
  for (const [kind, { places }] of Object.entries(kinds)) {
    const place = places.get(number);
    if (!place) continue;
    kinds[kind].lines ??= byId(kind).textContent.trim().split("\n");
    const block = await unpack(kinds[kind].lines[place.block]);
    return { kind, record: block[place.at] };
  }
  return null;
}
