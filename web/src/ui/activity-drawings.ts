import type { presetActivities } from '@caravan/contracts/domain/movement/activities';
import type { ActivityLevel } from '@caravan/contracts/events/fields';
import type { Drawing } from './drawing.tsx';

const head = (x: number, y: number) => `M${x - 4.4} ${y}a4.4 4.4 0 1 0 8.8 0a4.4 4.4 0 1 0-8.8 0Z`;

const walking: Drawing = {
  solid: head(26.5, 8.4),
  line: 'M25 17.5L22.5 28L28.5 34.5L31 43.5M22.5 28L19.5 35.5L13 43M25 17.5L31 23.5L37 25M25 17.5L17.5 21L15 28',
};
const running: Drawing = {
  solid: head(31.5, 8.4),
  line: 'M28 17L22 27L31 31L29 42M22 27L17.5 35.5L7 35M28 17L34.5 23.5L41.5 21M28 17L18.5 15.5L13 22',
};
const biking: Drawing = {
  area: 'M4 35a7.5 7.5 0 1 0 15 0a7.5 7.5 0 1 0-15 0ZM29 35a7.5 7.5 0 1 0 15 0a7.5 7.5 0 1 0-15 0Z',
  solid: head(30.5, 8.4),
  line: 'M4 35a7.5 7.5 0 1 0 15 0a7.5 7.5 0 1 0-15 0ZM29 35a7.5 7.5 0 1 0 15 0a7.5 7.5 0 1 0-15 0ZM23.5 36V28L17 22.5L25 15.5L29.5 21.5H36',
};
const stretching: Drawing = {
  solid: head(17.5, 10.4),
  line: 'M22 19C26 22 28 25 28 29.5L34.5 43M28 29.5L17 43M22 19C17 21 13 24.5 11.5 29M22 19C28 17 30 11 36 7.5',
};
const resting: Drawing = {
  area: 'M5 25a4 4 0 0 1 8 0v5h22v-5a4 4 0 0 1 8 0v13H5Z',
  line: 'M10 20v-6a5 5 0 0 1 5-5h18a5 5 0 0 1 5 5v6M5 25a4 4 0 0 1 8 0v5h22v-5a4 4 0 0 1 8 0v13H5ZM10 38v4M38 38v4',
};

/** By the names of the timer's presets. */
export const activityDrawings: Readonly<Record<(typeof presetActivities)[number]['name'], Drawing>> = {
  Walking: walking,
  Running: running,
  Biking: biking,
  Stretching: stretching,
};

/** The picture of a preset of the timer; undefined for every other activity. */
export const drawingOfActivity = (name: string): Drawing | undefined =>
  Object.entries(activityDrawings).find(([preset]) => preset === name)?.[1];

/** How much somebody moves, from the sofa to the run. */
export const levelDrawings: Readonly<Record<ActivityLevel, Drawing>> = {
  none: resting,
  light: walking,
  moderate: biking,
  active: running,
};
