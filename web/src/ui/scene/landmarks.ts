/** Silhouettes of stops, in a box of 44 by 40. */
const landmarks = {
  bridge: 'M0 40V24h44v16h-6a7 7 0 0 0-14 0h-4a7 7 0 0 0-14 0z',
  castle: 'M3 40V18h3v-4h4v4h4v-4h4V8h3V4h5v4h3v6h4v4h4v-4h4v4h-1v22zM20 40v-9h6v9zM10 26v5h3v-5z',
  church: 'M6 40V22h6V10l5-8 5 8v12h14v18zM14.5 14v5h5v-5zM24 28v6h5v-6z',
  gate: 'M5 40V14h4v-4h5v4h5v-4h6v4h5v-4h5v4h4v26H27V31a5 5 0 0 0-10 0v9z',
  towers: 'M5 40V20l4-14 4 14h18l4-14 4 14v20zM19 40V30a3 3 0 0 1 6 0v10z',
  hut: 'M6 40V26L22 12l16 14v14zM18 40V30h8v10z',
} as const;

export type Landmark = keyof typeof landmarks;

export const drawingOfLandmark = (landmark: Landmark): string => landmarks[landmark];

/** Words of a stop's story that say which silhouette is true; the first that fits. */
const words: readonly (readonly [Landmark, RegExp])[] = [
  ['bridge', /\b(bridge|viaduct|aqueduct|ferry)/i],
  ['castle', /\b(castle|fort|fortress|citadel|tower house)\b/i],
  ['church', /\b(cathedral|church|abbey|chapel|monastery|priory|minster|hermitage)/i],
  ['gate', /\b(gate|wall|walls|arch|milecastle|border)\b/i],
  ['towers', /\b(city|capital|skyline|towers?|station|kremlin)\b/i],
];

/** The silhouette of a stop: what its story speaks of first, else a hut. */
export function landmarkOf(story: string): Landmark {
  const found = words.flatMap(([landmark, pattern]) => {
    const at = story.search(pattern);
    return at < 0 ? [] : [{ landmark, at }];
  });
  return found.toSorted((one, other) => one.at - other.at)[0]?.landmark ?? 'hut';
}
