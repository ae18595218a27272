// Boxes of the trees that can be drawn. A node without a child has an inside-out box, and the slot of an
// old root is everywhere.

const kFar = 4e6;  // metres: kLiveFarthest of src/live/place.h, to which a farther place is cut

export const IsBox = (box) => box.low.every((x, axis) => x <= box.high[axis] && x > -kFar && box.high[axis] < kFar);
