import type { GalleryBadge } from '@caravan/contracts/http/badges';

export const metrics = {
  logs: { one: 'log', many: 'logs' },
  miles: { one: 'mile', many: 'miles' },
  streakDays: { one: 'day', many: 'days' },
  activities: { one: 'activity', many: 'activities' },
  photos: { one: 'photo', many: 'photos' },
  reactions: { one: 'reaction', many: 'reactions' },
  weeklyChallenges: { one: 'weekly challenge', many: 'weekly challenges' },
  bonusChallenges: { one: 'bonus challenge', many: 'bonus challenges' },
  teamNameVotes: { one: 'vote', many: 'votes' },
  checkpoints: { one: 'checkpoint', many: 'checkpoints' },
  routes: { one: 'route', many: 'routes' },
} as const;
export type Metric = keyof typeof metrics;

export type Badge = {
  readonly id: string;
  readonly name: string;
  readonly icon: string;
  readonly description: string;
  readonly requirement: string;
  readonly category: GalleryBadge['category'];
  readonly metric: Metric;
  readonly target: number;
};

type Line = readonly [id: string, icon: string, name: string, target: number, requirement: string, description: string];

const milestones: readonly Line[] = [
  ['mile-1', '🥾', 'First Mile', 1, 'Earn 1 mile', 'The first mile is the longest one.'],
  ['miles-10', '🚶', 'Ten Miler', 10, 'Earn 10 miles', 'Ten miles on your own two feet.'],
  ['miles-25', '🎽', 'Quarter Century', 25, 'Earn 25 miles', 'Almost a marathon, one walk at a time.'],
  ['miles-50', '🏅', 'Fifty Strong', 50, 'Earn 50 miles', 'Fifty miles, and still going.'],
  ['miles-100', '💯', 'Century', 100, 'Earn 100 miles', 'Three digits on the board.'],
  ['miles-250', '🏔️', 'High Country', 250, 'Earn 250 miles', 'Far enough to cross a small country.'],
  ['miles-500', '🧭', 'Pathfinder', 500, 'Earn 500 miles', 'As long as the Camino Francés, and a little more.'],
  ['miles-1000', '👑', 'Thousand Miler', 1000, 'Earn 1,000 miles', 'A thousand miles. Few ever get here.'],
];

const streaks: readonly Line[] = [
  ['streak-3', '✨', 'Spark', 3, 'Move 3 days in a row', 'Three days in a row: it has caught.'],
  ['streak-7', '🔥', 'Week on Fire', 7, 'Move 7 days in a row', 'A whole week without a day off.'],
  ['streak-14', '⚡', 'Fortnight Force', 14, 'Move 14 days in a row', 'Two weeks: this is a habit now.'],
  ['streak-30', '🌙', 'Full Moon', 30, 'Move 30 days in a row', 'From one full moon to the next.'],
  ['streak-60', '🌋', 'Unstoppable', 60, 'Move 60 days in a row', 'Sixty days, whatever the weather.'],
  ['streak-100', '💎', 'Diamond Streak', 100, 'Move 100 days in a row', 'A hundred days. Nothing breaks it.'],
  ['streak-365', '☀️', 'Around the Sun', 365, 'Move 365 days in a row', 'Once around the sun, every single day.'],
];

const counts: readonly Line[] = [
  ['logs-10', '📗', 'Getting Going', 10, 'Log 10 activities', 'Ten times you got up and moved.'],
  ['logs-50', '📘', 'Regular', 50, 'Log 50 activities', 'Fifty entries in the book.'],
  ['logs-100', '📚', 'Storyteller', 100, 'Log 100 activities', 'A hundred entries: you could write a book.'],
];

const badgeOf = (category: Badge['category'], metric: Metric, line: Line): Badge => {
  const [id, icon, name, target, requirement, description] = line;
  return { id, name, icon, description, requirement, category, metric, target };
};
const activity = (metric: Metric, line: Line) => badgeOf('Activity', metric, line);

export const firstLogId = 'first-log';

/** In the order of the gallery (D13, D40). Ids are forever: they stand in the log. */
export const catalogue: readonly Badge[] = [
  badgeOf('Milestones', 'logs', [
    firstLogId,
    '👣',
    'First Steps',
    1,
    'Log your first activity',
    'Every journey starts with one.',
  ]),
  ...milestones.map((line) => badgeOf('Milestones', 'miles', line)),
  ...streaks.map((line) => badgeOf('Streaks', 'streakDays', line)),
  ...counts.map((line) => activity('logs', line)),
  activity('activities', [
    'activities-5',
    '🎨',
    'All-Rounder',
    5,
    'Log 5 different activities',
    'Walk, run, swim, dance: you do it all.',
  ]),
  activity('photos', [
    'first-photo',
    '📸',
    'Say Cheese',
    1,
    'Log an activity with a photo',
    'Your first picture from the road.',
  ]),
  activity('reactions', [
    'first-reaction',
    '👏',
    'Cheerleader',
    1,
    'React to a teammate’s post',
    'You cheered somebody on.',
  ]),
  activity('weeklyChallenges', [
    'first-weekly-challenge',
    '🎯',
    'On Target',
    1,
    'Complete a weekly challenge',
    'Your first weekly challenge is done.',
  ]),
  activity('bonusChallenges', [
    'first-bonus-challenge',
    '🎁',
    'Bonus Hunter',
    1,
    'Complete a bonus challenge',
    'You were quick enough for the bonus.',
  ]),
  activity('teamNameVotes', [
    'team-name-voted',
    '🗳️',
    'Name Giver',
    1,
    'Vote for your team’s name',
    'Your team’s name is yours, too.',
  ]),
  badgeOf('Journey', 'checkpoints', [
    'first-checkpoint',
    '🚩',
    'Waymarker',
    1,
    'Reach a checkpoint with your team',
    'Your miles brought the team to a new place.',
  ]),
  badgeOf('Journey', 'routes', [
    'first-route',
    '🗺️',
    'Trailblazer',
    1,
    'Complete a route with your team',
    'All the way, from the first stone to the last.',
  ]),
];

export const idsOf = (...of: readonly Metric[]): string[] =>
  catalogue.filter(({ metric }) => of.includes(metric)).map(({ id }) => id);
