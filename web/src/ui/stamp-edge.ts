import { roundTenth } from './scene/curve.ts';

export const stampBox = 104;
const scallops = 20;

/** The scalloped edge of a stamp in its box. */
export function stampEdge(): string {
  const middle = stampBox / 2;
  const radius = 48;
  let path = '';
  for (let nth = 0; nth <= scallops; nth += 1) {
    const turn = (nth / scallops) * Math.PI * 2 - Math.PI / 2;
    const point = `${roundTenth(middle + radius * Math.cos(turn))} ${roundTenth(middle + radius * Math.sin(turn))}`;
    path += nth === 0 ? `M${point}` : `A8.6 8.6 0 0 1 ${point}`;
  }
  return `${path}Z`;
}
