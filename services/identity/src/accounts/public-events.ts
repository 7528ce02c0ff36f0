import type { PublicEventOf } from '@caravan/contracts/events/envelope';
import type * as facts from '@caravan/contracts/events/identity.events';

type Used = { readonly inviteId: string; readonly invitedBy: string | null; readonly userId: string };

export function inviteUsed({ inviteId, invitedBy, userId }: Used, at: Date): PublicEventOf<typeof facts.inviteUsed> {
  return { type: 'InviteUsed', version: 1, data: { inviteId, invitedBy, userId, usedAt: at.toISOString() } };
}
