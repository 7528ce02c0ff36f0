import { type Point, roundTenth } from '../../ui/scene/curve.ts';

export const lanternBox = { width: 390, height: 402 } as const;

type Lantern = { x: number; y: number; size: number };

/** How far a share of the road has come towards the one who looks: slowly in the distance, quickly at the feet. */
const nearness = (share: number): number => share ** 1.75;

const middleOf = (share: number): number => {
  const near = nearness(share);
  return 195 + Math.sin(share * Math.PI * 2.35 + 0.5) * (10 + 118 * near) * (1 - 0.25 * near);
};

/** Lanterns on both sides of a road that comes towards one, the farthest first. */
export function lanternsOf(count: number): Lantern[] {
  return Array.from({ length: count }, (_, nth) => {
    const share = (nth + 0.6) / count;
    const near = nearness(share);
    const side = nth % 2 ? 1 : -1;
    return {
      x: roundTenth(middleOf(share) + side * (5 + near * 62)),
      y: roundTenth(8 + near * 392),
      size: roundTenth(1.6 + near * 15),
    };
  });
}

/** The road between them, as an area. */
export function lanternRoad(): string {
  const edge = (side: 1 | -1) =>
    Array.from({ length: 40 }, (_, nth): Point => {
      const share = nth / 39;
      const near = nearness(share);
      return [roundTenth(middleOf(share) + side * (1.5 + near * 52)), roundTenth(8 + near * 392)];
    });
  return `M${[...edge(-1), ...edge(1).toReversed()].map((point) => point.join(' ')).join('L')}Z`;
}
