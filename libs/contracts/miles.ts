/** Minutes of any activity that make one mile (9.1). */
export const minutesPerMile = 10;

/**
 * Credited hundredths of a mile: minutes ÷ 10 × multiplier, rounded half up to a hundredth (D5).
 * @param durationMinutes whole minutes
 * @param multiplier 1 for an ordinary log, 2 for a bonus
 */
export function centimilesOf(durationMinutes: number, multiplier: number): number {
  return Math.round((durationMinutes * 100 * multiplier) / minutesPerMile);
}

/** Miles for people and HTTP answers, from hundredths; exact to two decimals. */
export function milesOf(centimiles: number): number {
  return centimiles / 100;
}
