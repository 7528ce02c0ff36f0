import type { PublicEventOf } from '@caravan/contracts/events/envelope';
import type * as facts from '@caravan/contracts/events/identity.events';

export function exportReady(userId: string, at: Date): PublicEventOf<typeof facts.exportReady> {
  return { type: 'ExportReady', version: 1, data: { userId, at: at.toISOString() } };
}
