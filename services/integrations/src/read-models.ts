import type { ReadModel } from '@caravan/messaging/read-model';

/** Consumers only delete here. */
export const readModels: readonly ReadModel[] = [];

/** Tables that nobody else can tell again, and why. */
export const ownTables: Readonly<Record<string, string>> = {
  provider_accounts: 'what members have agreed with a platform',
};

/** What an operator can make again; nothing is recorded here. */
export const rebuildable = { kinds: [], readModels };
