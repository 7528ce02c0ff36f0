import { type Point, roundTenth, smoothPath } from './curve.ts';
import { seededRandom } from './seeded-random.ts';

export const hillsBox = { width: 1440, height: 320 } as const;

type Ridge = { base: number; rise: number; waves: number; phase: number };

/** Height of a ridge at x, from the top of the box. */
function ridgeAt({ base, rise, waves, phase }: Ridge, width: number, x: number): number {
  const turn = (x / width) * Math.PI * 2 * waves;
  return (
    base +
    rise * Math.sin(turn + phase) +
    rise * 0.45 * Math.sin(turn * 2.3 + phase * 1.7) +
    rise * 0.16 * Math.sin(turn * 5.1 + phase)
  );
}

function rangeOf(ridge: Ridge, { width, height }: { width: number; height: number }, step = 72): string {
  const points: Point[] = [];
  for (let x = 0; x <= width + step; x += step) points.push([x, Math.round(ridgeAt(ridge, width, x))]);
  return `${smoothPath(points)}V${height}H0Z`;
}

const cypress = (x: number, y: number, size: number): string =>
  `M${roundTenth(x)} ${roundTenth(y + 2)}c${roundTenth(-0.17 * size)} ${roundTenth(-0.1 * size)} ${roundTenth(-0.2 * size)} ${roundTenth(-0.62 * size)} 0 ${roundTenth(-size)}` +
  `c${roundTenth(0.2 * size)} ${roundTenth(0.38 * size)} ${roundTenth(0.17 * size)} ${roundTenth(0.9 * size)} 0 ${roundTenth(size)}z`;

function roundTree(x: number, y: number, size: number): string {
  const stem = roundTenth(0.4 * size);
  const crown = roundTenth(0.34 * size);
  return `M${roundTenth(x - 0.06 * size)} ${roundTenth(y + 2)}v${-stem}a${crown} ${crown} 0 1 1 ${roundTenth(0.12 * size)} 0v${stem}z`;
}

/** Three ranges of hills as SVG paths, far to near, with trees on the nearer two; the same for the same seed. */
export function hillPaths(seed: number): { far: string; middle: string; near: string } {
  const random = seededRandom(seed);
  const { width } = hillsBox;
  const far: Ridge = { base: 150, rise: 34, waves: 1.6, phase: seed };
  const middle: Ridge = { base: 206, rise: 24, waves: 2.1, phase: seed * 2.3 };
  const near: Ridge = { base: 252, rise: 18, waves: 2.7, phase: seed * 3.1 };
  const treesOf = { middle: '', near: '' };
  for (let x = 20; x < width; x += 40 + random() * 110) {
    const size = 14 + random() * 16;
    treesOf.middle += (random() < 0.6 ? cypress : roundTree)(x, ridgeAt(middle, width, x), size);
  }
  for (let x = 10; x < width; x += 80 + random() * 170)
    for (let left = Math.floor(1 + random() * 3), at = x; left > 0; left -= 1, at += 15)
      treesOf.near += (random() < 0.55 ? cypress : roundTree)(at, ridgeAt(near, width, at), 26 + random() * 22);
  return {
    far: rangeOf(far, hillsBox),
    middle: rangeOf(middle, hillsBox) + treesOf.middle,
    near: rangeOf(near, hillsBox) + treesOf.near,
  };
}

/** Hills of a small picture, such as that of a log without a photo: two ranges in a box of 640 by 180. */
export function smallHillPaths(seed: number): { far: string; near: string } {
  const random = seededRandom(seed);
  const box = { width: 640, height: 180 };
  const far: Ridge = { base: 96, rise: 18, waves: 1.3, phase: seed };
  const near: Ridge = { base: 128, rise: 10, waves: 1.9, phase: seed * 1.9 };
  let trees = '';
  for (let x = 210; x < 620; x += 50 + random() * 110)
    trees += (random() < 0.5 ? cypress : roundTree)(x, ridgeAt(near, box.width, x), 20 + random() * 16);
  return { far: rangeOf(far, box), near: rangeOf(near, box) + trees };
}

/** Where stars stand, in per cent of the scene, and how large they are (px); none where the greeting's corner is. */
export function starsOf(count: number, seed: number): { x: number; y: number; size: number }[] {
  const random = seededRandom(seed);
  return Array.from({ length: count }, () => ({ x: random() * 100, y: random() * 62, size: 1 + random() * 1.6 }))
    .filter(({ x, y }) => x < 80 || y > 30)
    .map(({ x, y, size }) => ({ x: roundTenth(x), y: roundTenth(y), size: roundTenth(size) }));
}
