export const minutesPerMile = 10;

/** Minutes ÷ 10 × multiplier (2 for a bonus), rounded half up to a hundredth (D5). */
export function centimilesOf(durationMinutes: number, multiplier: number): number {
  return Math.round((durationMinutes * 100 * multiplier) / minutesPerMile);
}

export function milesOf(centimiles: number): number {
  return centimiles / 100;
}

export const milesKinds = ['log', 'correction', 'removal', 'weekly-bonus', 'weekly-bonus-withdrawn'] as const;
export type MilesKind = (typeof milesKinds)[number];
