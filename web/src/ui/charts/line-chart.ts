import { roundTenth } from '../scene/curve.ts';
import { spreadApart } from './spread.ts';

/** Null: there is no value, and the line has a gap. */
export type LineValues = readonly (number | null)[];

export type LineBox = { width: number; height: number; left: number; right: number; top: number; bottom: number };

export type DrawnLines = {
  ticks: { value: number; y: number }[];
  /** A path, the point at its end and where its label stands; null without any value. */
  lines: ({ path: string; end: { x: number; y: number }; labelY: number } | null)[];
  xOf: (nth: number) => number;
};

const labelGap = 16;

/** Lines over equal steps in a box. @param isDownwards ranks: the first one is at the top */
export function drawLines(
  series: readonly LineValues[],
  { box, isDownwards = false }: { box: LineBox; isDownwards?: boolean | undefined },
): DrawnLines {
  const values = series.flat().filter((value) => value !== null);
  const { ticks, low, high } = scaleOf(values, isDownwards);
  const steps = Math.max(1, Math.max(...series.map(({ length }) => length)) - 1);
  const xOf = (nth: number) => roundTenth(box.left + ((box.width - box.left - box.right) * nth) / steps);
  const yOf = (value: number) => {
    const share = (value - low) / (high - low);
    return roundTenth(box.top + (box.height - box.top - box.bottom) * (isDownwards ? share : 1 - share));
  };
  const drawn = series.map((of) => drawLine(of, xOf, yOf));
  const labels = labelsOf(
    drawn.map((line) => line?.end.y ?? null),
    box,
  );
  return {
    ticks: ticks.map((value) => ({ value, y: yOf(value) })),
    lines: drawn.map((line, nth) => line && { path: line.path, end: line.end, labelY: labels[nth] ?? line.end.y }),
    xOf,
  };
}

function drawLine(values: LineValues, xOf: (nth: number) => number, yOf: (value: number) => number) {
  let path = '';
  let end: { x: number; y: number } | undefined;
  for (const [nth, value] of values.entries()) {
    if (value === null) continue;
    const before = values[nth - 1] ?? null;
    end = { x: xOf(nth), y: yOf(value) };
    path += `${before === null ? 'M' : 'L'}${end.x} ${end.y}`;
  }
  return end ? { path, end } : null;
}

/** Labels stand beside the ends of their lines, as far apart as they need. */
function labelsOf(ends: readonly (number | null)[], { top, height, bottom }: LineBox): (number | null)[] {
  const known = ends.flatMap((y, nth) => (y === null ? [] : [{ y, nth }])).toSorted((one, other) => one.y - other.y);
  const places = spreadApart(
    known.map(({ y }) => y),
    { gap: labelGap, low: top, high: height - bottom },
  );
  const labels: (number | null)[] = ends.map(() => null);
  for (const [place, { nth }] of known.entries()) labels[nth] = places[place] ?? null;
  return labels;
}

const mostTicks = 4;

/** Round steps around the values; whole ones for ranks, which begin at 1. */
function scaleOf(values: readonly number[], isRank: boolean): { ticks: number[]; low: number; high: number } {
  const [least, most] = values.length > 0 ? [Math.min(...values), Math.max(...values)] : [0, 1];
  const step = roundStep((most - least) / (mostTicks - 1), isRank);
  const low = isRank ? Math.max(1, least) : Math.max(0, Math.floor(least / step) * step);
  const ticks: number[] = [];
  for (let tick = low; ticks.length < 2 || tick < most + step; tick += step) ticks.push(roundTenth(tick));
  return { ticks, low, high: ticks.at(-1) ?? low + step };
}

/** 1, 2 or 5 times a power of ten, and at least so large. */
function roundStep(least: number, isWhole: boolean): number {
  if (least <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(least));
  const step = ([1, 2, 5, 10].find((times) => times * power >= least) ?? 10) * power;
  return isWhole ? Math.max(1, step) : step;
}
