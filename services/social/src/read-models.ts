import type { ReadModel } from '@caravan/messaging/read-model';

/** What consumers write here and can be made again: all there is. */
export const readModels: readonly ReadModel[] = [
  { name: 'feed', tables: ['members', 'posts'], groups: ['social.post-movements', 'social.know-members'] },
];

/** Tables that nobody else can tell again, and why. */
export const ownTables: Readonly<Record<string, string>> = {};

/** What an operator can make again; nothing is recorded here. */
export const rebuildable = { kinds: [], readModels };
