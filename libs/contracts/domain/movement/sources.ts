/** Fitness platforms whose workouts are imported. */
export const importSources = ['apple-watch', 'google-fit', 'strava', 'fitbit'] as const;
export type ImportSource = (typeof importSources)[number];

/** Platforms as people know them. */
export const platformNames: Readonly<Record<ImportSource, string>> = {
  'apple-watch': 'Apple Watch',
  'google-fit': 'Google Fit',
  strava: 'Strava',
  fitbit: 'Fitbit',
};

/** Ways in which a log comes in. */
export const sources = [...importSources, 'timer', 'manual'] as const;
export type Source = (typeof sources)[number];
