import { type Point, roundTenth, smoothPath } from './curve.ts';

/** A part of a route between two mile marks. */
export type RoadSpan = { from: number; to: number };

/** How much of the way shows behind the last stop and beyond the next one, in miles, at least. */
const leastBehind = 12;
const leastBeyond = 7;
const mostDots = 60;

/**
 * The part of a route that a strip shows: from before the last stop to beyond the next. Legs of hundreds of miles keep
 * the same shape: a share of the leg shows on both sides.
 * @param last mile mark of the last stop, 0 at the start
 * @param next mile mark of the next stop; null where the route is completed
 */
export function spanOfLeg(last: number, next: number | null): RoadSpan {
  const leg = (next ?? last) - last;
  const behind = Math.max(leastBehind, leg * 0.3);
  const beyond = Math.max(leastBeyond, leg * 0.18);
  return { from: last - behind, to: (next ?? last) + beyond };
}

export const shareOn = ({ from, to }: RoadSpan, miles: number): number => (miles - from) / (to - from);

/** Height of the road at a share of its strip, in per cent from its top. */
export const roadHeightAt = (share: number): number =>
  46 + 15 * Math.sin(Math.PI * 2 * (share * 0.95 + 0.08)) + 5 * Math.sin(Math.PI * 2 * (share * 2.2 + 0.35));

/** The strip's drawing is 1000 wide and 100 high, and stretches. */
export function roadPath(fromShare: number, toShare: number): string {
  const steps = Math.max(2, Math.ceil((toShare - fromShare) * 26));
  const points = Array.from({ length: steps + 1 }, (_, nth): Point => {
    const share = fromShare + ((toShare - fromShare) * nth) / steps;
    return [share * 1000, roadHeightAt(share)];
  });
  return smoothPath(points);
}

/** Miles between two dots of the way ahead: one, until there would be too many; then 2, 5, 10, 20, 50 and so on. */
export function milesPerDot(milesAhead: number): number {
  for (let scale = 1; ; scale *= 10)
    for (const step of [1, 2, 5]) if (milesAhead / (step * scale) <= mostDots) return step * scale;
}

/** The way ahead as dots at whole miles: a path of points. @param at the own team's miles */
export function dotsAhead(span: RoadSpan, at: number): string {
  const every = milesPerDot(span.to - Math.max(at, span.from));
  let path = '';
  for (let mile = (Math.floor((at + 0.6 * every) / every) + 1) * every; mile < span.to; mile += every) {
    const share = shareOn(span, mile);
    if (share >= 0 && share < 0.995) path += `M${roundTenth(share * 1000)} ${roundTenth(roadHeightAt(share))}h.01`;
  }
  return path;
}

/** Where something stands on the strip, as CSS. */
export function placeOn(span: RoadSpan, miles: number): { left: string; top: string } {
  const share = shareOn(span, miles);
  return { left: `${(share * 100).toFixed(2)}%`, top: `${roadHeightAt(share).toFixed(2)}%` };
}
