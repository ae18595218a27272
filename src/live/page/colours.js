// Colours of bodies. They are Okabe and Ito's, which most eyes tell apart; what a colour says is also
// among the figures of the body that is picked.

import {Mix} from "./vectors.js";

const kPalette = ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#f0e442", "#8a8a00"];
const kPaletteNames = ["Blue", "Yellow", "Green", "Pink", "Light blue", "Red", "Bright yellow", "Olive"];
const kStill = "#8c9094";

export const kModes = ["island", "sleep", "shape", "layer", "thread", "lock"];

export const ChannelsOf = (hex) => [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16) / 255);

// The luminance of a colour and the contrast of two (1 .. 21), of the Web Content Accessibility Guidelines, 2.2.
const Luminance = (channels) => channels.map((part) => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)
    .reduce((sum, part, i) => sum + [0.2126, 0.7152, 0.0722][i] * part, 0);
export function ContrastOf(one, other) {
  const [low, high] = [Luminance(one), Luminance(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}
const kLightest = [1, 1, 1];
const kDarkest = [0, 0, 0];
// White or black: the one that is easier to read on a colour. There are few colours, and they are asked for often.
const kInks = new Map();
export function InkOn(hex) {
  if (!kInks.has(hex)) {
    const channels = ChannelsOf(hex);
    kInks.set(hex, ContrastOf(channels, kLightest) > ContrastOf(channels, kDarkest) ? "#ffffff" : "#000000");
  }
  return kInks.get(hex);
}

const Paler = (colour) => colour.map((part) => 0.45 * part + 0.36);

const kChannels = kPalette.map(ChannelsOf);
const kPaler = kChannels.map(Paler);
const kStillChannels = ChannelsOf(kStill);
const kAsleep = ChannelsOf("#56b4e9");
const kAwake = ChannelsOf("#d55e00");

export const ColourOfLane = (lane) => kPalette[lane % kPalette.length];
// heat: 0 .. 1.
export const ColourOfHeat = (heat) => heat > 0 ? Mix(kStillChannels, kAwake, 0.25 + 0.75 * heat) : kStillChannels;

export function ColourOf(body, mode, scene) {
  if (mode === "layer") return kChannels[body.layer % kChannels.length];
  if (!body.dynamic) return kStillChannels;
  if (mode === "sleep") return body.asleep ? kAsleep : kAwake;
  if (mode === "shape") return kChannels[body.shape % kChannels.length];
  if (mode === "lock") return scene.bodyLocks === 0 ? kStillChannels : ColourOfHeat(scene.HeatOfLock(scene.LockOf(body)));
  if (mode === "thread") {
    if (body.lane < 0) return kStillChannels;
    return (body.asleep ? kPaler : kChannels)[body.lane % kChannels.length];
  }
  if (body.island < 0) return kStillChannels;
  // Neighbours by number have different colours.
  return (body.asleep ? kPaler : kChannels)[(body.island * 5 + (body.island >> 3)) % kChannels.length];
}

export const ColourOfLevel = (level) => kChannels[level % kChannels.length];
// Two cores have the same one if their numbers differ by the palette's length. core: -1 is not known.
export const ColourOfCore = (core) => core >= 0 ? kPalette[core % kPalette.length] : kStill;
export const ColourOfName = (number) => kPalette[number % kPalette.length];

const kLegends = {
  island: "One colour an island; paler: asleep; grey: no island.",
  sleep: "Orange: awake. Blue: asleep. Grey: static.",
  shape: "Blue: spheres. Yellow: boxes. Pink: cylinders. Light blue: hulls. Red: capsules. Olive: compounds. Grey: static.",
  layer: "Blue: static. Yellow: dynamic. Others: the game's layers.",
  lock: "By the waits for the lock of the body so far. Grey: none. The redder, the more. A cell for each lock is below.",
};

export function LegendOf(mode, scene) {
  if (mode !== "thread") return kLegends[mode];
  if (![...scene.bodies.values()].some((body) => body.lane >= 0)) {
    return "No thread is known yet. A recording has the threads with --structures.";
  }
  const lanes = scene.lanes.map((lane, i) => `${kPaletteNames[i % kPaletteNames.length]}: ${lane}.`);
  return `The thread that moved a body last. ${lanes.join(" ")} Paler: asleep. Grey: no step has moved it.`;
}
