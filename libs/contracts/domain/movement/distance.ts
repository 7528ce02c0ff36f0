/** imperial: miles, metric: kilometers (9.22). */
export type Units = 'imperial' | 'metric';

export const kilometersPerMile = 1.609344;

/** A distance in sentences that no page draws, with two decimals at most: '2.5', and 'miles', 'mile' or 'km' behind it (9.22). */
export function distanceIn(units: Units, centimiles: number): { readonly figure: string; readonly unit: string } {
  if (units === 'imperial') return { figure: plain(centimiles / 100), unit: centimiles === 100 ? 'mile' : 'miles' };
  return { figure: plain((centimiles / 100) * kilometersPerMile), unit: 'km' };
}

const plain = (distance: number) => String(Math.round(distance * 100) / 100);
