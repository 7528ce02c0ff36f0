import { readFileSync } from 'node:fs';

/** Floors that move more than this between rounds make a run worthless. */
const toleratedSpread = 0.2;

export type Sample = Readonly<Record<string, number>>;
export type Series = {
  readonly samples: readonly Sample[];
  median(figure: string): number;
  /** (highest − lowest) ÷ median. */
  spread(figure: string): number;
};

/** `told`: nobody has asked for a certain figure. */
export type Verdict = 'met' | 'missed' | 'not judged' | 'told';
export type Finding = {
  readonly goal: string;
  readonly what: string;
  readonly figure: string;
  readonly wanted: string;
  readonly verdict: Verdict;
  /** What `figure` says, for whoever compares. */
  readonly value: number;
  readonly unit: string;
  readonly isBetter: 'higher' | 'lower';
};

/** A B A B …: whatever else the machine does falls on all alike. At least five rounds for a judgement. */
export async function interleave<Name extends string>(
  variants: Readonly<Record<Name, () => Promise<Sample>>>,
  rounds = 5,
): Promise<Record<Name, Series>> {
  const samples = Object.fromEntries(Object.keys(variants).map((name) => [name, []])) as unknown as Record<
    Name,
    Sample[]
  >;
  const names = Object.keys(variants) as Name[];
  for (let round = 0; round < rounds; round += 1) for (const name of names) samples[name].push(await variants[name]());
  return Object.fromEntries(names.map((name) => [name, series(samples[name])])) as Record<Name, Series>;
}

/** None when the floor itself moved too much. */
export function judge(options: {
  goal: string;
  what: string;
  value: number;
  wanted: { atLeast: number } | { atMost: number };
  unit?: string;
  floorSpread?: number;
}): Finding {
  const { goal, what, value, wanted, unit = '', floorSpread = 0 } = options;
  const isNoisy = floorSpread > toleratedSpread;
  const isMet = 'atLeast' in wanted ? value >= wanted.atLeast : value <= wanted.atMost;
  const met = isMet ? 'met' : 'missed';
  return {
    goal,
    what,
    figure: `${round(value)}${unit}${isNoisy ? ` (floor moved ${Math.round(floorSpread * 100)} %)` : ''}`,
    wanted: 'atLeast' in wanted ? `≥ ${round(wanted.atLeast)}${unit}` : `≤ ${round(wanted.atMost)}${unit}`,
    verdict: isNoisy ? 'not judged' : met,
    value,
    unit: unit.trim(),
    isBetter: 'atLeast' in wanted ? 'higher' : 'lower',
  };
}

/** For what has no goal of its own, and belongs beside what has. */
export function tell(options: {
  goal: string;
  what: string;
  value: number;
  unit?: string;
  isBetter: Finding['isBetter'];
}): Finding {
  const { unit = '', ...rest } = options;
  return { ...rest, unit: unit.trim(), figure: `${round(rest.value)}${unit}`, wanted: '–', verdict: 'told' };
}

/** Slope of a line through logarithms: 0 no growth, 1 proportional. Throws for one size or a cost not above 0. */
export function growthExponent(points: readonly { readonly size: number; readonly cost: number }[]): number {
  const logs = points.map(({ size, cost }) => ({ x: Math.log(size), y: Math.log(cost) }));
  const mean = (of: (point: { x: number; y: number }) => number) =>
    logs.reduce((sum, point) => sum + of(point), 0) / logs.length;
  const x = mean((point) => point.x);
  const y = mean((point) => point.y);
  const slope = mean((point) => (point.x - x) * (point.y - y)) / mean((point) => (point.x - x) ** 2);
  if (!Number.isFinite(slope)) throw new Error(`No growth can be told from ${JSON.stringify(points)}`);
  return slope;
}

/** Load average, and the share of time that was taken from the machine. */
export function machineState(): string {
  const [load] = readFileSync('/proc/loadavg', 'utf8').split(' ');
  const [, ...times] = (readFileSync('/proc/stat', 'utf8').split('\n')[0] ?? '').split(/\s+/);
  const total = times.map(Number).reduce((sum, ticks) => sum + ticks, 0);
  const stolen = Number(times[7] ?? 0);
  return `load ${load}, stolen ${((100 * stolen) / total).toFixed(1)} %`;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const below = sorted[Math.ceil(sorted.length / 2) - 1] ?? 0;
  const above = sorted[middle] ?? 0;
  return (below + above) / 2;
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

function series(samples: readonly Sample[]): Series {
  const valuesOf = (figure: string) => samples.map((sample) => sample[figure] ?? 0);
  return {
    samples,
    median: (figure) => median(valuesOf(figure)),
    spread: (figure) => (Math.max(...valuesOf(figure)) - Math.min(...valuesOf(figure))) / median(valuesOf(figure)),
  };
}

export const round = (value: number) => (value >= 100 ? Math.round(value) : Number(value.toPrecision(3)));
