export { figuresFor, noFigures, ownFiguresOfMany } from './progress.query.ts';
export type { Challenge } from './progress.query.ts';
export { isReached, progressOf } from './progress.ts';
export type { Target, WeekFigures } from './progress.ts';
export { openedChallenges } from './weeks.query.ts';
