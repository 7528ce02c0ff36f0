/** Paces in minutes per mile estimate the distance covered (9.2). */
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

export const customMinutesPerMile = 15;

export const productActivities: readonly string[] = [...presetActivities.map(({ name }) => name), ...moreActivities];

export const forgottenActivityName = 'Custom activity';
