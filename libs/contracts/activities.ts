/** The four activities the timer offers first, with the pace that estimates the distance covered (9.2). */
export const presetActivities = [
  { name: 'Walking', emoji: '🚶', minutesPerMile: 15 },
  { name: 'Running', emoji: '🏃', minutesPerMile: 8 },
  { name: 'Biking', emoji: '🚴', minutesPerMile: 4 },
  { name: 'Stretching', emoji: '🧘', minutesPerMile: 20 },
] as const;

export const moreActivities = [
  'Yoga',
  'Swimming',
  'Hiking',
  'Dancing',
  'Rock Climbing',
  'Tennis',
  'Basketball',
  'Soccer',
  'Volleyball',
  'Golf',
  'Weightlifting',
  'Boxing',
  'Kayaking',
  'Skiing',
  'Surfing',
] as const;

/** Pace of anything that is not a preset, in minutes per mile (9.2). */
export const customMinutesPerMile = 15;

/** The names of the product's own activities; every other name was typed by somebody. */
export const productActivities: readonly string[] = [...presetActivities.map(({ name }) => name), ...moreActivities];

/** How an activity is called whose own name was forgotten with its member. */
export const forgottenActivityName = 'Custom activity';
