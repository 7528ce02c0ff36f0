import { randomUUID } from '@caravan/contracts/testing/seeded';
import type { Envelope } from '@caravan/contracts/events/envelope';
import { type PeerService, startPeerService } from '@caravan/messaging/testing/peer-service';
import { expect } from 'vitest';
import { confirmedMember, type MailingIdentity } from './addresses.ts';
import { claimsOf, idOf } from './organisations.ts';
import type { Visitor } from './visitor.ts';

/** A zone where it is about noon now, so that no quiet hours begin during a test. */
export function noonZone(): string {
  const ahead = 12 - new Date().getUTCHours();
  return ahead === 0 ? 'UTC' : `Etc/GMT${ahead > 0 ? '-' : '+'}${Math.abs(ahead)}`;
}

const minuteMilliseconds = 60_000;
/** For a sweep: the instant that much later, and no other. */
export const inMinutes = (minutes: number) => {
  const at = new Date(Date.now() + minutes * minuteMilliseconds);
  return () => at;
};
/** When the digest has left, wherever it is noon now. */
export const tomorrow = inMinutes(22 * 60);

export type Told = { readonly noticeId: string; readonly kind: string; readonly text: string };

/** What social tells identity about notices, each fact delivered twice, until identity has it. */
export async function startTelling({ identity }: MailingIdentity) {
  const social: PeerService = await startPeerService('social', identity.env);
  const publish = async (orgId: string, userId: string, type: string, data: object): Promise<Envelope[]> => {
    const fact = { type, version: 1, orgId, key: userId, data: { userId, ...data } };
    const said = await social.publish(fact);
    await social.redeliver(...said);
    return said;
  };
  const rowsOf = (noticeId: string) =>
    identity.rows<{ text: string }>('select text from due_notices where notice_id = $1', [noticeId]);
  return {
    close: () => social.close(),
    rowsOf,
    async due(person: Visitor, fields: object = {}): Promise<Told> {
      const { org, sub } = claimsOf(person);
      const told = {
        noticeId: randomUUID(),
        kind: 'invite-used',
        text: 'Nadia joined',
        namedIds: [],
        link: '/admin/members',
        count: 1,
        raisedAt: new Date().toISOString(),
        expiresAt: null,
        ...fields,
      };
      await publish(org, sub, 'NotificationDue', told);
      await expect.poll(() => rowsOf(told.noticeId)).toEqual([{ text: told.text }]);
      return told;
    },
    async recap(person: Visitor, fields: object = {}): Promise<void> {
      const { org } = claimsOf(person);
      const recap = {
        recapId: randomUUID(),
        weekStartsOn: '2026-11-16',
        weekEndsOn: '2026-11-22',
        centimiles: 0,
        memberCount: 0,
        topTeams: [],
        builtAt: new Date().toISOString(),
        ...fields,
      };
      const fact = { type: 'WeeklyRecapBuilt', version: 1, orgId: org, key: org, data: recap };
      await social.redeliver(...(await social.publish(fact)));
      await expect.poll(() => rowsOf(recap.recapId)).toHaveLength(1);
    },
    /** Without waiting: for what identity is to keep nothing of. */
    dueInVain: (person: Visitor, orgId: string, fields: object) =>
      publish(orgId, idOf(person), 'NotificationDue', {
        noticeId: randomUUID(),
        kind: 'reaction',
        text: 'In vain',
        namedIds: [],
        link: '/feed',
        count: 1,
        raisedAt: new Date().toISOString(),
        expiresAt: null,
        ...fields,
      }),
    async publishSettled(person: Visitor, noticeIds: readonly string[], why = 'read'): Promise<void> {
      const { org, sub } = claimsOf(person);
      await publish(org, sub, 'NotificationsSettled', { noticeIds, why, settledAt: new Date().toISOString() });
      for (const noticeId of noticeIds) await expect.poll(() => rowsOf(noticeId)).toEqual([]);
    },
  };
}
export type Telling = Awaited<ReturnType<typeof startTelling>>;

/** A member with a confirmed address, for whom it is about noon. */
export async function memberAtNoon(mailing: MailingIdentity) {
  const member = await confirmedMember(mailing);
  await mailing.identity.rows('update persons set time_zone = $2 where user_id = $1', [member.userId, noonZone()]);
  return member;
}
