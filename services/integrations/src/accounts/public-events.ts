import type { PublicEventOf } from '@caravan/contracts/events/envelope';
import type * as facts from '@caravan/contracts/events/integrations.events';
import type { AccountName } from '../ports.ts';

type Unkept<Contract> = PublicEventOf<Contract> & { readonly isKept: false };

/** The platform takes the account's tokens no longer: its owner has to connect anew. */
export function reconnectNeeded({ userId, provider }: AccountName, at: Date): Unkept<typeof facts.syncFailed> {
  const data = { userId, source: provider, why: 'reconnect' as const, failedAt: at.toISOString() };
  return { type: 'SyncFailed', version: 1, data, isKept: false };
}

type Ending = { readonly why: 'asked' | 'revoked'; readonly areImportsRemoved: boolean };

export function platformDisconnected(
  { userId, provider }: AccountName,
  { why, areImportsRemoved }: Ending,
  at: Date,
): PublicEventOf<typeof facts.platformDisconnected> {
  const data = { userId, source: provider, why, areImportsRemoved, disconnectedAt: at.toISOString() };
  return { type: 'PlatformDisconnected', version: 1, data };
}
