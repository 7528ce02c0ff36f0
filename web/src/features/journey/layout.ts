export type Spot = { x: number; y: number };
type Box = { left: number; right: number; top: number; bottom: number };

export type Size = { width: number; height: number };

const apart = 40;

/** Where a bubble may stand, seen from its place: above it, then to both sides, then in rows above that. */
const seats: readonly Spot[] = [0, 1, 2, 3, 4]
  .flatMap((row) =>
    [0, 1, -1, 2, -2, 3, -3].map((column) => ({ x: (column + (row % 2) / 2) * apart, y: -(0.75 + row * 0.9) * apart })),
  )
  .toSorted((one, other) => Math.hypot(one.x, one.y) - Math.hypot(other.x, other.y));

/** Where the bubbles stand: over their place on the way, and beside each other where they would cover each other. */
export function spreadBubbles<Bubble extends Spot>(
  { width }: Size,
  bubbles: readonly Bubble[],
): (Bubble & { at: Spot })[] {
  const placed: (Bubble & { at: Spot })[] = [];
  for (const bubble of bubbles) {
    const spots = seats.map(({ x, y }) => ({ x: bubble.x + x, y: bubble.y + y }));
    const free = spots.find(
      (spot) => spot.x > 20 && spot.x < width - 20 && spot.y > 20 && !placed.some(({ at }) => isNear(at, spot)),
    );
    placed.push({ ...bubble, at: free ?? { x: bubble.x, y: bubble.y - apart } });
  }
  return placed;
}

const isNear = (one: Spot, other: Spot) => Math.hypot(one.x - other.x, one.y - other.y) < apart - 4;

type Label = Spot & { name: string; anchor: 'start' | 'middle' | 'end' };

const glyphWidth = 7.4;
const lineHeight = 16;

/**
 * Names beside their stops, as many as fit: those that come first have the first choice of a side, and who finds no
 * room is left out. @param taken what may not be covered
 */
export function placeLabels(stops: readonly (Spot & { name: string })[], taken: readonly Spot[], size: Size): Label[] {
  const boxes: Box[] = taken.map(({ x, y }) => boxAround(x, y, 36, 36));
  const dots = stops.map(({ x, y }) => boxAround(x, y, 12, 12));
  const labels: Label[] = [];
  for (const stop of stops) {
    const others = [...boxes, ...dots.filter((dot) => !holds(dot, stop))];
    const found = sidesOf(stop).find(({ box }) => isInside(box, size) && !others.some((other) => overlaps(box, other)));
    if (!found) continue;
    boxes.push(withRoom(found.box));
    labels.push(found.label);
  }
  return labels;
}

function sidesOf({ x, y, name }: Spot & { name: string }): { label: Label; box: Box }[] {
  const width = name.length * glyphWidth;
  const beside = (anchor: Label['anchor'], labelX: number, baseline: number, left: number) => ({
    label: { name, anchor, x: labelX, y: baseline },
    box: { left, right: left + width, top: baseline - lineHeight + 3, bottom: baseline + 4 },
  });
  return [
    beside('middle', x, y + 24, x - width / 2),
    beside('middle', x, y - 13, x - width / 2),
    beside('start', x + 13, y + 5, x + 13),
    beside('end', x - 13, y + 5, x - 13 - width),
    beside('start', x - 6, y + 24, x - 6),
    beside('end', x + 6, y + 24, x + 6 - width),
    beside('start', x - 6, y - 13, x - 6),
    beside('end', x + 6, y - 13, x + 6 - width),
    beside('start', x - 6, y - 42, x - 6),
    beside('end', x + 6, y - 42, x + 6 - width),
  ];
}

/** Two names beside each other must not read as one. */
const withRoom = ({ left, right, ...box }: Box): Box => ({ ...box, left: left - 8, right: right + 8 });
const boxAround = (x: number, y: number, width: number, height: number): Box => ({
  left: x - width / 2,
  right: x + width / 2,
  top: y - height / 2,
  bottom: y + height / 2,
});
const holds = (box: Box, { x, y }: Spot) => x > box.left && x < box.right && y > box.top && y < box.bottom;
const overlaps = (a: Box, b: Box) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
const isInside = (box: Box, { width, height }: Size) =>
  box.left >= 4 && box.right <= width - 4 && box.top >= 4 && box.bottom <= height - 4;
