// A pile of balls whose contacts the reader colours, and a solver that takes the contacts colour by
// colour beside the plain one, which takes them in the order of pairs (src/islands/contact_colours.h,
// src/dynamics/contact_block.h). The contacts of a colour are lanes: all of them read the velocities,
// then all of them write. A ball is a point here: it does not turn, and there is no friction.

import {h, Replace, svg} from "../../models/kit/counterexample/page/dom.js";

const kRows = [4, 3, 2, 1];
const kColours = 6;
const kGround = -1;
const kFall = [0, -9.8 / 60];  // the velocity that a step of gravity has given each ball, metres a second
const kAcross = 64;            // pixels from a ball to the next one
const kRadius = 27;
const kLift = 56;              // from a row to the next one
const kLong = 120;             // of the line of a velocity of one metre a second

const Dot = (p, q) => p[0] * q[0] + p[1] * q[1];
const Plus = (p, q, t) => [p[0] + q[0] * t, p[1] + q[1] * t];

// Balls from the bottom to the top; contacts in the order of pairs, the ground first.
export function Pile() {
  const balls = [], rows = [];
  kRows.forEach((count, row) => {
    rows.push([]);
    for (let i = 0; i < count; ++i) {
      rows[row].push(balls.length);
      balls.push([(i - (count - 1) / 2) * kAcross, row * kLift]);
    }
  });
  const contacts = rows[0].map((ball) => ({a: kGround, b: ball, normal: [0, 1]}));
  rows.slice(1).forEach((row, below) => row.forEach((b, i) => {
    for (const a of [rows[below][i], rows[below][i + 1]]) {
      const way = Plus(balls[b], balls[a], -1), length = Math.hypot(...way);
      contacts.push({a, b, normal: [way[0] / length, way[1] / length]});
    }
  }));
  contacts.sort((x, y) => x.a - y.a || x.b - y.b);
  return {balls, contacts};
}

const Bodies = ({a, b}) => [a, b].filter((body) => body !== kGround);

// The first colour that neither ball of the contact has yet.
export function FirstFree(contacts, colours, contact) {
  const taken = new Set(contacts.flatMap((one, i) => (colours[i] !== null && i !== contact &&
    Bodies(one).some((body) => Bodies(contacts[contact]).includes(body)) ? [colours[i]] : [])));
  return [...Array(kColours).keys()].find((colour) => !taken.has(colour));
}

// The contacts of one colour that share a ball.
export function Conflicts(contacts, colours) {
  const found = new Set();
  contacts.forEach((one, i) => contacts.slice(0, i).forEach((other, k) => {
    if (colours[i] === null || colours[i] !== colours[k]) return;
    if (!Bodies(one).some((body) => Bodies(other).includes(body))) return;
    found.add(i).add(k);
  }));
  return [...found].sort((x, y) => x - y);
}

const Start = ({balls, contacts}) => ({velocities: balls.map(() => [...kFall]), impulses: contacts.map(() => 0)});
const VelocityOf = (state, body) => (body === kGround ? [0, 0] : state.velocities[body]);
const ApproachOf = (state, {a, b, normal}) => -Dot(Plus(VelocityOf(state, b), VelocityOf(state, a), -1), normal);

// What the contact wants to write: the sum of its impulses is never below zero.
function Change(state, contacts, i) {
  const {a, b, normal} = contacts[i];
  const inverse = (a === kGround ? 0 : 1) + 1;
  const sum = Math.max(0, state.impulses[i] + ApproachOf(state, contacts[i]) / inverse);
  const change = sum - state.impulses[i];
  return {i, sum, writes: [[a, Plus(VelocityOf(state, a), normal, -change)], [b, Plus(VelocityOf(state, b), normal, change)]]
      .filter(([body]) => body !== kGround)};
}

function Write(state, {i, sum, writes}) {
  state.impulses[i] = sum;
  for (const [body, velocity] of writes) state.velocities[body] = velocity;
}

const PlainPass = (state, contacts) => contacts.forEach((_, i) => Write(state, Change(state, contacts, i)));

// Colour after colour, all of a colour at once; then those without a colour, one by one.
function ColouredPass(state, contacts, colours, turned) {
  for (let colour = 0; colour < kColours; ++colour) {
    const lanes = contacts.map((_, i) => i).filter((i) => colours[i] === colour);
    const changes = lanes.map((i) => Change(state, contacts, i));
    for (const change of turned ? changes.reverse() : changes) Write(state, change);
  }
  contacts.forEach((_, i) => { if (colours[i] === null) Write(state, Change(state, contacts, i)); });
}

const Approach = (state, contacts) => Math.max(0, ...contacts.map((one) => ApproachOf(state, one)));

// What the balls have got less what the contacts have given: zero, unless a write was lost.
function Lost(state, {contacts, balls}) {
  let sum = balls.map(() => [...kFall]);
  contacts.forEach(({a, b, normal}, i) => {
    if (a !== kGround) sum[a] = Plus(sum[a], normal, -state.impulses[i]);
    sum[b] = Plus(sum[b], normal, state.impulses[i]);
  });
  return Math.max(...sum.map((velocity, body) => Math.hypot(...Plus(velocity, state.velocities[body], -1))));
}

const ColourOf = (colour) => (colour === null ? "var(--line)" : `var(--c${colour + 1})`);

// plain, by_colours: the balls' velocities, a line each.
function Picture({balls, contacts}, {colours, chosen}, conflicts, {plain, by_colours}, onclick) {
  const On = ([x, y]) => [x, -y];
  const PlaceOf = ({a, b}) => (a === kGround ? Plus(balls[b], [0, -1], kRadius + 4) : Plus(balls[a], Plus(balls[b], balls[a], -1), 0.5));
  const width = kRows[0] * kAcross, height = (kRows.length - 1) * kLift + 2 * kRadius + 40;
  const Line = ([x1, y1], [x2, y2], more) => svg("line", {x1, y1, x2, y2, ...more});
  const Way = ([x, y], velocity, stroke) => [Line([x, y], On(Plus([x, -y], velocity, kLong)), {stroke, "stroke-width": 4}),
                                             svg("circle", {cx: x, cy: y, r: 2, fill: stroke})];
  return svg("svg", {viewBox: `${-width / 2 - 10} ${kRadius + 26 - height} ${width + 20} ${height}`, role: "img",
    style: "display:block;width:100%;max-width:26rem;height:auto",
    "aria-label": `${balls.length} balls and ${contacts.length} contacts, ${colours.filter((one) => one !== null).length} of them coloured`},
  Line([-width / 2, kRadius + 5], [width / 2, kRadius + 5], {stroke: "var(--ink)", "stroke-width": 3}),
  balls.map((ball, i) => {
    const [cx, cy] = On(ball);
    return [svg("circle", {cx, cy, r: kRadius, fill: "var(--soft)", stroke: "var(--ink)"}),
            svg("text", {x: cx, y: cy - 9, "text-anchor": "middle", "font-size": 12, fill: "var(--ink)"}, String(i)),
            Way([cx - 5, cy - 4], plain[i], "var(--ink)"), Way([cx + 5, cy - 4], by_colours[i], "var(--accent)")];
  }),
  contacts.map((contact, i) => {
    const [cx, cy] = On(PlaceOf(contact)), is_in_conflict = conflicts.includes(i);
    return svg("g", {"data-contact": i, style: "cursor:pointer", onclick: () => onclick(i)},
        i === chosen ? svg("circle", {cx, cy, r: 15, fill: "none", stroke: "var(--accent)", "stroke-width": 3}) : null,
        svg("circle", {cx, cy, r: 10, fill: ColourOf(colours[i]), stroke: is_in_conflict ? "var(--bad)" : "var(--ink)",
          "stroke-width": is_in_conflict ? 4 : 1}),
        svg("text", {x: cx, y: cy + 4, "text-anchor": "middle", "font-size": 11, fill: "var(--paper)"},
            colours[i] === null ? "" : String(colours[i] + 1)));
  }));
}

export function mount(element) {
  const pile = Pile(), {contacts} = pile;
  const Blank = () => ({colours: contacts.map(() => null), chosen: 0});
  let state = Blank(), plain, coloured, turned, passes;
  const live = h("p", {"aria-live": "polite", style: "min-height:6em"});
  const picture = h("div", {});
  const Name = ({a, b}) => (a === kGround ? `ball ${b} and the ground` : `balls ${a} and ${b}`);

  function Words(conflicts, same) {
    const used = new Set(state.colours.filter((colour) => colour !== null)).size;
    const without = state.colours.filter((colour) => colour === null).length;
    const chosen = `Chosen: the contact of ${Name(contacts[state.chosen])}. Colours: ${used}; contacts without one: ${without}.`;
    const clash = conflicts.length === 0 ? "" : ` ${conflicts.length} contacts share a ball with another one of their colour.`;
    if (passes === 0) return `${chosen}${clash}`;
    return `${chosen}${clash} After ${passes} ${passes === 1 ? "pass" : "passes"} the fastest approach is ${Approach(plain, contacts).toFixed(4)} m/s in the order of pairs, ${
      Approach(coloured, contacts).toFixed(4)} m/s by colours. With the lanes of each colour the other way round: ${
      same ? "the same bits" : "other bits"}. Velocity that was written and lost: ${Lost(coloured, pile).toFixed(4)} m/s.`;
  }
  function Show() {
    const conflicts = Conflicts(contacts, state.colours);
    const same = JSON.stringify(coloured) === JSON.stringify(turned);
    Replace(picture, Picture(pile, state, conflicts, {plain: plain.velocities, by_colours: coloured.velocities}, (i) => { state.chosen = i; Show(); }));
    live.textContent = Words(conflicts, same);
    element.dataset.state = JSON.stringify({
      ...state, passes, conflicts, same, contacts: contacts.map(({a, b, normal}) => ({a, b, normal})),
      plain: plain.velocities, by_colours: coloured.velocities,
      approach: [Approach(plain, contacts), Approach(coloured, contacts)], lost: Lost(coloured, pile),
    });
  }
  // A change of a colour is another order: the solvers begin anew.
  function Begin() {
    [plain, coloured, turned] = [Start(pile), Start(pile), Start(pile)];
    passes = 0;
    Show();
  }
  function Give(colour) {
    state.colours[state.chosen] = colour;
    state.chosen = (state.chosen + 1) % contacts.length;
    Begin();
  }
  function GiveAll() {
    state = Blank();
    contacts.forEach((_, i) => { state.colours[i] = FirstFree(contacts, state.colours, i); });
    Begin();
  }
  function Pass(count) {
    for (let i = 0; i < count; ++i) {
      PlainPass(plain, contacts);
      ColouredPass(coloured, contacts, state.colours, false);
      ColouredPass(turned, contacts, state.colours, true);
      passes += 1;
    }
    Show();
  }
  const Button = (words, onclick, more = {}) => h("button", {type: "button", onclick, ...more}, words);
  const Paint = (colour) => Button(String(colour + 1), () => Give(colour), {"data-colour": colour,
    "aria-label": `give it colour ${colour + 1}`, style: `border:3px solid ${ColourOf(colour)};min-width:2.2rem`});
  const Row = (...parts) => h("p", {}, parts.flatMap((part) => [part, " "]));
  element.append(
      Row("Its colour:", ...[...Array(kColours).keys()].map(Paint), Button("none", () => Give(null), {"data-colour": "none"}),
          Button("the first free one", () => Give(FirstFree(contacts, state.colours, state.chosen)), {"data-act": "free"})),
      Row(Button("colour all", GiveAll, {"data-act": "all"}),
          Button("another contact", () => { state.chosen = (state.chosen + 1) % contacts.length; Show(); }, {"data-act": "next"}),
          Button("one pass", () => Pass(1), {"data-passes": 1}), Button("ten passes", () => Pass(10), {"data-passes": 10}),
          Button("start again", () => { state = Blank(); Begin(); }, {"data-act": "again"})),
      picture, live);
  Begin();
}
