// The way of a ray through the trees: the nodes that a query visits, one after another, and as text.

import {IsBox} from "./boxes.js";
import {ColourOfHeat} from "./colours.js";
import {ForEachEdge} from "./segments.js";
import {Add, Length, Scale} from "./vectors.js";

const kRayColour = [1, 1, 1];

// Whose boxes are drawn, the first visit first.
export const VisitsOf = (scene) => scene.ray ? scene.ray.visits.filter(IsBox) : [];

// The later a visit, the redder its box. The line ends where the ray does.
export function PutRay(scene, segments, list) {
  const visits = VisitsOf(scene);
  segments.Begin(list, 12 * visits.length + 1);
  visits.forEach(({low, high}, i) => {
    const colour = ColourOfHeat((i + 1) / visits.length);
    ForEachEdge(low, high, (from, to) => segments.Put(list, from, to, colour, 2, 0, false));
  });
  if (scene.ray) segments.Put(list, scene.ray.origin, EndOf(scene.ray), kRayColour, 5, 0, true);
  segments.End(list);
}

const EndOf = ({origin, translation, fraction}) => Add(origin, Scale(translation, fraction));

export function RaySentence(scene) {
  const ray = scene.ray;
  if (!ray) return "No ray is there yet: pick a body in the picture of a running program.";
  const hit = ray.hit < 0 ? "it hits no body" : `it hits body ${ray.hit} after ${(Length(ray.translation) * ray.fraction).toFixed(2)} m`;
  const visits = ray.visits.length + ray.leftOut;
  return `ray: the query visits ${visits} ${visits === 1 ? "node" : "nodes"} of the trees and looks at ${ray.bodies} ` +
    `${ray.bodies === 1 ? "body" : "bodies"}; ${hit}` + (ray.leftOut > 0 ? `; ${ray.leftOut} visits are not drawn` : "");
}
