/**
 * Moves values apart until neighbours are `gap` away from each other, and keeps all of them between `low` and `high`.
 * They keep their order; where there is no room for all, they stand evenly. @param values in ascending order
 */
export function spreadApart(
  values: readonly number[],
  { gap, low, high }: { gap: number; low: number; high: number },
): number[] {
  const fitting = values.length > 1 ? Math.min(gap, (high - low) / (values.length - 1)) : gap;
  const places: number[] = [];
  for (const value of values) {
    const before = places.at(-1);
    const least = before === undefined ? low : before + fitting;
    places.push(Math.max(least, value));
  }
  let most = high;
  for (let nth = places.length - 1; nth >= 0; nth -= 1) {
    places[nth] = Math.min(most, places[nth] ?? most);
    most = (places[nth] ?? most) - fitting;
  }
  return places;
}
