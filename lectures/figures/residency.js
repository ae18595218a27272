// Residency of src/streaming/residency.h over a sheet of tiles, and a disk that loads one tile after
// another. The reader moves the player, and sees what is wanted, there, on its way, and let go.

import {h, Replace, svg} from "../../models/kit/counterexample/page/dom.js";

const kSide = 256;        // metres, of a tile
const kStep = 32;         // metres, of a move
const kHysteresis = 32;   // metres
const kGuarantee = 450;   // metres
const kTiles = 11;        // along each side of the sheet
const kWays = [
  {name: "west", x: -1, z: 0}, {name: "north", x: 0, z: -1},
  {name: "south", x: 0, z: 1}, {name: "east", x: 1, z: 0},
];

const Name = (tile) => `${tile.column},${tile.row}`;
const TileAt = ({x, z}) => ({column: Math.floor(x / kSide), row: Math.floor(z / kSide)});

function Distance(tile, {x, z}) {
  const west = kSide * tile.column, north = kSide * tile.row;
  return Math.hypot(Math.max(west - x, 0, x - west - kSide), Math.max(north - z, 0, z - north - kSide));
}

function Start(disk) {
  const middle = kSide * (Math.floor(kTiles / 2) + 0.5);
  const player = {x: middle, z: middle};
  const state = {disk, player, centre: TileAt(player), ahead: null, turned: player, there: [], loading: null,
                 left: 0, moves: 0, loads: 0, letGo: 0, last: []};
  state.there = Wanted(state).map((one) => Name(one.tile));  // it has stood here for long
  return state;
}

// The most urgent first.
function Wanted({centre, ahead}) {
  const wanted = [];
  const Add = (column, row, detail) =>
      wanted.push({tile: {column: centre.column + column, row: centre.row + row}, detail});
  for (let ring = 0; ring <= 2; ++ring) {
    for (let row = -ring; row <= ring; ++row) {
      for (let column = -ring; column <= ring; ++column) {
        if (Math.max(Math.abs(column), Math.abs(row)) === ring) Add(column, row, ring <= 1 ? "full" : "ring");
      }
    }
  }
  if (ahead === null) return wanted;
  for (const side of [-1, 0, 1]) Add(ahead.x ? 3 * ahead.x : side, ahead.z ? 3 * ahead.z : side, "ahead");
  return wanted;
}

function Follow(state, way) {
  const {player, turned} = state;
  if (Distance(state.centre, player) > kHysteresis) state.centre = TileAt(player);
  const same = state.ahead !== null && state.ahead.x === way.x && state.ahead.z === way.z;
  const gone = Math.hypot(player.x - turned.x, player.z - turned.z);
  if (!same && state.ahead !== null && gone <= kHysteresis) return;
  state.ahead = {x: way.x, z: way.z};
  state.turned = player;
}

// Tiles that are not wanted are let go. Afterwards the disk goes on.
function Stream(state) {
  const wanted = Wanted(state).map((one) => Name(one.tile));
  state.last = state.there.filter((tile) => !wanted.includes(tile));
  state.letGo += state.last.length;
  state.there = state.there.filter((tile) => wanted.includes(tile));
  if (state.loading !== null && --state.left === 0) {
    if (wanted.includes(state.loading)) state.there.push(state.loading);
    state.loading = null;
  }
  if (state.loading !== null) return;
  const next = wanted.find((tile) => !state.there.includes(tile));
  if (next === undefined) return;
  state.loading = next;
  state.left = state.disk;
  state.loads += 1;
}

function Move(state, way) {
  const x = state.player.x + kStep * way.x, z = state.player.z + kStep * way.z;
  const edge = 3 * kSide;  // so that what is wanted is on the sheet
  if (Math.min(x, z) < edge || Math.max(x, z) > kTiles * kSide - edge) return false;
  state.player = {x, z};
  state.moves += 1;
  Follow(state, way);
  Stream(state);
  return true;
}

// The nearest ground that is wanted and not there, in metres; null if all of it is.
function NearestGap(state) {
  const gaps = Wanted(state).filter((one) => !state.there.includes(Name(one.tile)))
      .map((one) => Distance(one.tile, state.player));
  return gaps.length ? Math.round(Math.min(...gaps)) : null;
}

function Report(state) {
  const gap = NearestGap(state);
  return {x: state.player.x, z: state.player.z, centre: Name(state.centre), wanted: Wanted(state).length,
          there: state.there.length, loading: state.loading, loads: state.loads, letGo: state.letGo,
          gap, ok: gap === null || gap > kGuarantee};
}

const kFills = {full: "var(--c1)", ring: "var(--c2)", ahead: "var(--c3)"};

function Sheet(state) {
  const details = new Map(Wanted(state).map((one) => [Name(one.tile), one.detail]));
  const tiles = [];
  for (let row = 0; row < kTiles; ++row) {
    for (let column = 0; column < kTiles; ++column) {
      const name = Name({column, row});
      const detail = details.get(name), there = state.there.includes(name);
      tiles.push(svg("rect", {
        x: kSide * column + 6, y: kSide * row + 6, width: kSide - 12, height: kSide - 12,
        fill: there ? kFills[detail] : "none", "fill-opacity": 0.45,
        stroke: detail ? kFills[detail] : state.last.includes(name) ? "var(--bad)" : "var(--line)",
        "stroke-width": detail ? 10 : 5, "stroke-dasharray": detail && !there ? "30 20" : null}));
      if (name === state.loading) {
        tiles.push(svg("text", {x: kSide * (column + 0.5), y: kSide * (row + 0.6), "text-anchor": "middle",
                                "font-size": 80, fill: "var(--ink)"}, "load"));
      }
    }
  }
  const {x, z} = state.player;
  return svg("svg", {viewBox: `0 0 ${kSide * kTiles} ${kSide * kTiles}`, role: "img", style: "max-width: 30rem",
                     "aria-label": `the player at ${x}, ${z}, and the tiles around it`},
      tiles,
      svg("circle", {cx: x, cy: z, r: kGuarantee, fill: "none", stroke: "var(--accent)", "stroke-width": 8}),
      svg("circle", {cx: x, cy: z, r: 26, fill: "var(--accent)"}));
}

function Words(state) {
  const {wanted, there, letGo, loads, gap, ok} = Report(state);
  const ground = gap === null ? "All that is wanted is there."
      : ok ? `The nearest tile that is not there is ${gap} m away: the promise holds.`
      : `A tile ${gap} m away is not there: the disk is too slow for this way.`;
  return `${there} of ${wanted} tiles are there; ${loads} loads begun, ${letGo} tiles let go. ${ground}`;
}

export function mount(element, options) {
  const live = h("p", {"aria-live": "polite"});
  const sheet = h("div", {});
  let state;
  const Show = (words) => {
    Replace(sheet, Sheet(state));
    live.textContent = words;
    element.dataset.state = JSON.stringify(Report(state));
  };
  const Again = () => {
    state = Start(Number(disk.value));
    Show(`The player stands in the middle. ${Words(state)}`);
  };
  const disk = h("select", {onchange: Again}, [1, 2, 4].map((moves) =>
      h("option", {value: moves, selected: options.disk === String(moves)},
          moves === 1 ? "every move" : `every ${moves} moves`)));
  const ways = kWays.map((way) => h("button", {type: "button", "data-way": way.name, onclick: () => {
    Show(Move(state, way) ? `To the ${way.name}. ${Words(state)}` : "The sheet ends here.");
  }}, way.name));
  const again = h("button", {type: "button", onclick: Again}, "start again");
  element.append(h("p", {}, ways, " ", again, " ", h("label", {}, "a tile from the disk ", disk)), sheet, live);
  Again();
}
