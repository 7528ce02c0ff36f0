/** Visits a second that began, and what became of them. */
export type Step = {
  readonly rate: number;
  readonly goodRate: number;
  readonly goodShare: number;
  readonly p95Milliseconds: number;
};

export type Bend = { readonly held: number; readonly brokeAt: number | undefined; readonly because: string };

const leastShare = 0.99;
const leastRate = 0.95;
const growth = 1.5;

export const nextRate = (rate: number): number => Math.ceil(rate * growth);

/** Why a step does not hold; undefined when it does. */
export function brokenBecause(
  { rate, goodRate, goodShare, p95Milliseconds }: Step,
  atMostMilliseconds: number,
): string | undefined {
  if (goodShare < leastShare) return `${((1 - goodShare) * 100).toFixed(1)} % refused`;
  if (p95Milliseconds > atMostMilliseconds) return `p95 ${Math.round(p95Milliseconds)} ms`;
  if (goodRate < leastRate * rate) return `${Math.round(goodRate)} a second of ${rate} answered`;
  return undefined;
}

/** Load grows until a step does not hold: what the one before it was is what can be promised. */
export function bendOf(steps: readonly Step[], atMostMilliseconds: number): Bend {
  let held = 0;
  for (const step of steps) {
    const because = brokenBecause(step, atMostMilliseconds);
    if (because !== undefined) return { held, brokeAt: step.rate, because };
    held = step.rate;
  }
  return { held, brokeAt: undefined, because: 'nothing broke' };
}

/** Seconds from the first of these looks to the one from which on all are well; undefined when the last is not. */
export function recoveredAfter(
  looks: readonly { readonly second: number; readonly isWell: boolean }[],
): number | undefined {
  const lastBad = looks.findLastIndex(({ isWell }) => !isWell);
  return lastBad < 0 ? 0 : looks[lastBad + 1]?.second;
}
