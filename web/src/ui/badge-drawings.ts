import type { GalleryBadge } from '@caravan/contracts/http/badges';
import { levelDrawings } from './activity-drawings.ts';
import type { Drawing } from './drawing.tsx';

type DrawnBadge = {
  readonly id: string;
  /** What is known of somebody's badges beside the gallery (3.41, 3.45). */
  readonly name: string;
  readonly category: GalleryBadge['category'];
  readonly drawing: Drawing;
};

const circle = (x: number, y: number, radius: number) =>
  `M${x - radius} ${y}a${radius} ${radius} 0 1 0 ${2 * radius} 0a${radius} ${radius} 0 1 0-${2 * radius} 0Z`;
/** An area with its outline, and what is drawn in it. */
const shape = (outline: string, more: Drawing = {}): Drawing => ({
  area: outline,
  line: outline + (more.line ?? ''),
  ...(more.solid !== undefined && { solid: more.solid }),
});

const milestones: Record<string, readonly [name: string, drawing: Drawing]> = {
  'first-log': [
    'First Steps',
    {
      solid:
        'M15.5 19c4.8 0 6.8 4 6.3 9-.3 3-1.6 4.5-1.6 7h-8.6c0-2.5-1.9-4.5-2.2-8C9 22.5 11 19 15.5 19ZM11.7 38h8.4c.3 4-1.2 6.5-4.2 6.5s-4.5-2.5-4.2-6.5ZM32.5 3.5c-4.8 0-6.8 4-6.3 9 .3 3 1.6 4.5 1.6 7h8.6c0-2.5 1.9-4.5 2.2-8 .4-4.5-1.6-8-6.1-8ZM36.3 22.5h-8.4c-.3 4 1.2 6.5 4.2 6.5s4.5-2.5 4.2-6.5Z',
    },
  ],
  'mile-1': [
    'First Mile',
    shape('M14 7h13v11.5c0 3 2.5 4.5 6.5 5.5 5 1.3 7.5 4 7.5 9v2H12v-4c0-4 2-6.5 2-11Z', {
      line: 'M12 35v6h29v-6M27 13.5h-5.5M27.5 19.5h-6',
    }),
  ],
  'miles-10': ['Ten Miler', levelDrawings.light],
  'miles-25': [
    'Quarter Century',
    shape('M15.5 6c0 6-2 9-6 11.5l2.5 6.5v18h24V24l2.5-6.5c-4-2.5-6-5.5-6-11.5h-4c0 4.5-1.5 7-4.5 7s-4.5-2.5-4.5-7Z', {
      line: 'M18.5 24.5h11v9h-11Z',
    }),
  ],
  'miles-50': [
    'Fifty Strong',
    shape(circle(24, 31, 11), {
      line: 'M12.5 5l7.5 15.5M35.5 5L28 20.5M20 5l4 9.5L28 5',
      solid: 'M24 24.5l1.9 4.1 4.5.6-3.3 3.1.8 4.5-3.9-2.2-3.9 2.2.8-4.5-3.3-3.1 4.5-.6Z',
    }),
  ],
  'miles-100': [
    'Century',
    {
      area: 'M22.5 13c-4 0-5.5 4-5.5 8.5s1.5 8.5 5.5 8.5 5.5-4 5.5-8.5-1.5-8.5-5.5-8.5ZM38.5 13c-4 0-5.5 4-5.5 8.5s1.5 8.5 5.5 8.5 5.5-4 5.5-8.5-1.5-8.5-5.5-8.5Z',
      line: 'M5.5 17.5l5-4.5v17M22.5 13c-4 0-5.5 4-5.5 8.5s1.5 8.5 5.5 8.5 5.5-4 5.5-8.5-1.5-8.5-5.5-8.5ZM38.5 13c-4 0-5.5 4-5.5 8.5s1.5 8.5 5.5 8.5 5.5-4 5.5-8.5-1.5-8.5-5.5-8.5ZM7 39c10-3.5 22-3.5 34-1',
    },
  ],
  'miles-250': [
    'High Country',
    shape('M3.5 40L19 11l10 17.5 4-6L44.5 40Z', {
      solid: 'M19 9l7.2 13.2-3.7 2.8-3.5-3-3.5 3-3.7-2.8Z',
    }),
  ],
  'miles-500': ['Pathfinder', shape(circle(24, 24, 18.5), { solid: 'M33.5 14.5l-5.5 13.5-13.5 5.5 5.5-13.5Z' })],
  'miles-1000': [
    'Thousand Miler',
    shape('M8.5 34L5 14l10.5 8L24 8l8.5 14L43 14l-3.5 20Z', {
      line: 'M9 41h30',
      solid: circle(24, 27, 2.6),
    }),
  ],
};

const streaks: typeof milestones = {
  'streak-3': [
    'Spark',
    shape('M20 8c1.7 11 5.5 15.5 16 18-10.5 2.5-14.3 7-16 18-1.7-11-5.5-15.5-16-18 10.5-2.5 14.3-7 16-18Z', {
      solid: 'M37 3c.8 5 2.5 6.8 7 8-4.5 1.2-6.2 3-7 8-.8-5-2.5-6.8-7-8 4.5-1.2 6.2-3 7-8Z',
    }),
  ],
  'streak-7': [
    'Week on Fire',
    shape('M26 4c1.5 8.5 13 13 13 24.5a15 15 0 0 1-30 0C9 22 12.5 18.5 14 14c1.5 3.5 3 5.5 5.5 6.5C23 16 25 11 26 4Z', {
      solid: 'M24.5 26.5c1 3.5 6 5 6 10a6.5 6.5 0 0 1-13 0c0-4.5 5-5.5 7-10Z',
    }),
  ],
  'streak-14': ['Fortnight Force', shape('M28 4L9 27.5h12L17.5 44 39 19.5H26Z')],
  'streak-30': [
    'Full Moon',
    shape(circle(24, 24, 18), {
      line: circle(18, 18, 4) + circle(30.5, 28.5, 4.5),
      solid: circle(17.5, 32, 2.4) + circle(31.5, 15, 2),
    }),
  ],
  'streak-60': [
    'Unstoppable',
    shape('M4 43L16.5 21h15L44 43Z', {
      line: 'M24 14.5V5M15.5 15l-4-7.5M32.5 15l4-7.5',
      solid: 'M16.5 21h15l3.2 5.5c-2.7 0-3.2 4.5-5.7 4.5s-2.5-3-4.7-3-2.3 6-5 6-2.3-6.5-6-7.5Z',
    }),
  ],
  'streak-100': [
    'Diamond Streak',
    shape('M13.5 7h21L44 19.5 24 43 4 19.5Z', { line: 'M4 19.5h40M24 43l-8.5-23.5L24 7l8.5 12.5Z' }),
  ],
  'streak-365': [
    'Around the Sun',
    shape(circle(24, 24, 9), {
      line: 'M24 4v4.5M24 39.5v4.5M4 24h4.5M39.5 24h4.5M9.9 9.9l3.2 3.2M34.9 34.9l3.2 3.2M9.9 38.1l3.2-3.2M34.9 13.1l3.2-3.2',
    }),
  ],
};

const activity: typeof milestones = {
  'logs-10': [
    'Getting Going',
    shape('M15 5h24v30H15a5 5 0 0 0-5 4V10a5 5 0 0 1 5-5Z', {
      line: 'M10 39a4.5 4.5 0 0 0 4.5 4H39v-8',
      solid: 'M23 5h9v15l-4.5-4-4.5 4Z',
    }),
  ],
  'logs-50': [
    'Regular',
    shape('M24 12c-4-4-10-5-20-5v29c10 0 16 1 20 5 4-4 10-5 20-5V7c-10 0-16 1-20 5Z', {
      line: 'M24 12v29M11 16.5c2.8.2 4.5.7 6.5 1.6M11 25c2.8.2 4.5.7 6.5 1.6M37 16.5c-2.8.2-4.5.7-6.5 1.6M37 25c-2.8.2-4.5.7-6.5 1.6',
    }),
  ],
  'logs-100': [
    'Storyteller',
    {
      area: 'M7 31.5h31v11H7ZM8 8.5h27v11.5H8Z',
      line: 'M7 31.5h31v11H7ZM12 20h30v11.5H12ZM8 8.5h27v11.5H8ZM14.5 31.5v11M34.5 20v11.5M15.5 8.5v11.5',
    },
  ],
  'activities-5': [
    'All-Rounder',
    shape(
      'M24 6C13 6 4.5 14 4.5 24.5S13 42.5 23 42.5c3.5 0 5-2.2 4.3-5-.8-3.2 1-5.5 4.7-5.5h5c4.5 0 6.5-3.5 6.5-8.5C43.5 13 35 6 24 6Z',
      {
        solid:
          circle(12.5, 27, 2.8) +
          circle(14.5, 18, 2.8) +
          circle(22.5, 13, 2.8) +
          circle(31.5, 14.5, 2.8) +
          circle(36.5, 22, 2.8),
      },
    ),
  ],
  'first-photo': [
    'Say Cheese',
    shape('M5 16.5a4 4 0 0 1 4-4h6.5L19 7h10l3.5 5.5H39a4 4 0 0 1 4 4V36a4 4 0 0 1-4 4H9a4 4 0 0 1-4-4Z', {
      line: circle(24, 26, 8),
      solid: circle(24, 26, 3),
    }),
  ],
  'first-reaction': [
    'Cheerleader',
    shape('M30 8v29L16 31H9a4 4 0 0 1-4-4v-9a4 4 0 0 1 4-4h7Z', {
      line: 'M11.5 31l3.5 11h6.5l-3-10M37 22.5h7M36.5 14l5.5-4M36.5 31l5.5 4',
    }),
  ],
  'first-weekly-challenge': [
    'On Target',
    shape(circle(21, 27, 17), {
      line: `${circle(21, 27, 9)}M21 27L40 8M34.5 13.5V7.5L39 3v6h6l-4.5 4.5Z`,
      solid: circle(21, 27, 2.6),
    }),
  ],
  'first-bonus-challenge': [
    'Bonus Hunter',
    shape('M8 23h32v19.5H8Z', {
      line: 'M5 14.5h38V23H5ZM24 14.5v28M24 14.5C21.5 6 12 2.5 11.5 8.5c-.3 4.5 6 6 12.5 6ZM24 14.5c2.5-8.5 12-12 12.5-6 .3 4.5-6 6-12.5 6Z',
    }),
  ],
  'team-name-voted': [
    'Name Giver',
    shape('M5 28h38v14.5H5Z', {
      line: 'M9 28l2.5-7M39 28l-2.5-7M14.5 28V5.5h19V28M19.5 15.5l3.5 3.5 6-7',
    }),
  ],
};

const journey: typeof milestones = {
  'first-checkpoint': ['Waymarker', shape('M14 8c8-4 14 4 24 0v17c-10 4-16-4-24 0Z', { line: 'M14 5v37.5M7 42.5h14' })],
  'first-route': [
    'Trailblazer',
    shape('M4 12.5l13-6 14 6 13-6v29l-13 6-14-6-13 6Z', { line: 'M17 6.5v29M31 12.5v29' }),
  ],
};

const categories: [GalleryBadge['category'], typeof milestones][] = [
  ['Milestones', milestones],
  ['Streaks', streaks],
  ['Activity', activity],
  ['Journey', journey],
];

/** The pictures of all badges that the web app knows, in the order of the gallery. */
const drawnBadges: readonly DrawnBadge[] = categories.flatMap(([category, drawn]) =>
  Object.entries(drawn).map(([id, [name, drawing]]) => ({ id, name, category, drawing })),
);

/** What we draw for a badge; undefined for one that came after this page was built. */
export const drawnBadge = ({ badgeId, badgeName }: { badgeId?: string; badgeName: string }): DrawnBadge | undefined =>
  drawnBadges.find(({ id, name }) => id === badgeId || name === badgeName);
