// Forgets the hulls and compounds that no message will name again, as src/live/old_shapes.h does.

const kForgetVersion = 7;           // from which on a message names the latest shapes alone
export const kLatestShapes = 1024;  // hulls, and as many compounds
const [kHull, kCompound] = [4, 7];  // of kShapes

const NumbersOf = (bodies, kind) => bodies.filter(({shape}) => shape === kind).map(({size}) => size[0]);

// Whether one has gone.
function DeleteOld(shapes, used) {
  let newest = 0;
  for (const number of shapes.keys()) newest = Math.max(newest, number);
  const before = shapes.size;
  for (const number of shapes.keys()) {
    if (newest - number >= kLatestShapes && !used.has(number)) shapes.delete(number);
  }
  return shapes.size < before;
}

// Looks where there are twice as many as the last look has left.
export function ForgetOldShapes(scene) {
  const {hulls, compounds} = scene;
  if (scene.version < kForgetVersion || hulls.size + compounds.size < 2 * scene.shapesLeft) return;
  const bodies = [...scene.bodies.values()];
  DeleteOld(compounds, new Set(NumbersOf(bodies, kCompound)));
  const used = new Set([...NumbersOf(bodies, kHull), ...NumbersOf([...compounds.values()].flat(), kHull)]);
  if (DeleteOld(hulls, used)) ++scene.shapes;
  scene.shapesLeft = Math.max(hulls.size + compounds.size, 2 * kLatestShapes);
}
