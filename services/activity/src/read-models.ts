import type { ReadModel } from '@caravan/messaging/read-model';
import { history } from './public-history.service.ts';
import { streamKinds } from './app.module.ts';

/** What consumers write here and can be made again. */
export const readModels: readonly ReadModel[] = [
  {
    name: 'directory',
    tables: ['members', 'bonus_windows'],
    groups: ['activity.bonus-window', 'activity.know-members'],
  },
];

/** Tables that nobody else can tell again, and why. */
export const ownTables: Readonly<Record<string, string>> = {
  movement_texts: 'what members typed; the log never holds it, so that it can be forgotten',
  frequent_activities: 'what members typed, counted as they typed it',
};

/** What an operator can make again, here and from here elsewhere. */
export const rebuildable = { kinds: streamKinds, readModels, history };
