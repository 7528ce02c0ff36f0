import { randomUUID } from '@caravan/contracts/testing/seeded';
import { type Recap, recapSchema } from '@caravan/contracts/http/recaps';
import { addDays } from '@caravan/contracts/domain/time/local-days';
import { weeklyRecapBuilt } from '@caravan/contracts/events/social.events';
import { eventually } from '@caravan/event-store/testing/eventually';
import type { Listener } from '@caravan/messaging/testing/listener';
import { expect } from 'vitest';
import { RecapsService } from '../recaps/recaps.service.ts';
import { founded, teamFormed } from './ballots-under-test.ts';
import {
  checkpointReached,
  memberJoined,
  memberOf,
  movementLogged,
  privacyChosen,
  type SocialUnderTest,
  type TestMember,
} from './social-under-test.ts';

/** The week that recaps of these tests tell of, and the moment from which it is told in UTC. */
export const monday = '2026-11-16';
export const toldAt = new Date('2026-11-23T06:00:00.000Z');

let totals = 0;
type Credit = { centimiles: number; on: string; run?: readonly [string, string, number] };

export function creditedFact({ userId, orgId, teamId }: TestMember, { centimiles, on, run }: Credit) {
  const [startedOn, endedOn, days] = run ?? [on, on, 1];
  return {
    type: 'MilesCredited',
    version: 1,
    orgId,
    key: userId,
    data: {
      entryId: randomUUID(),
      userId,
      teamId,
      kind: 'log',
      logId: randomUUID(),
      centimiles,
      creditedOn: on,
      totalCentimiles: (totals += Math.abs(centimiles)),
      latestRun: { startedOn, endedOn },
      streak: { days, freezes: 0 },
    },
  };
}

export function challengeCompleted({ userId, orgId, teamId }: TestMember, name: string, challengeId: string) {
  return {
    type: 'WeeklyChallengeCompleted',
    version: 1,
    orgId,
    key: userId,
    data: {
      challengeId,
      userId,
      teamId,
      name,
      challengeType: 'individual',
      bonusCentimiles: 100,
      weekStartsOn: monday,
      completedAt: `${addDays(monday, 2)}T17:00:00.000Z`,
    },
  };
}

export const signedIn = ({ userId, orgId }: TestMember, signedInAt: string) => ({
  type: 'MemberSignedIn',
  version: 1,
  orgId,
  key: userId,
  data: { userId, signedInAt },
});

/** A log of a moment in that week, with a photo. */
export function picturedIn(member: TestMember, loggedAt: string) {
  const { data, ...about } = movementLogged(member, { loggedAt: new Date(loggedAt) });
  const photoPath = `/objects/photos/${randomUUID()}`;
  const photo = { width: 1_280, height: 960, thumbHash: '1QcSHQRnh493V4dIh4eXh1h4kJUI', alt: 'A canal' };
  return { ...about, data: { ...data, photoPath, photo } };
}

/** Maya and Omar of Thunder, Zoe of Blazers: what happened in their week was told twice, and nothing of it is a recap yet. */
export async function livedWeek(social: SocialUnderTest, changes: { timeZone?: string } = {}) {
  const orgId = randomUUID();
  const thunder = randomUUID();
  const blazers = randomUUID();
  const maya = memberOf(orgId, thunder, 'Maya');
  const omar = memberOf(orgId, thunder, 'Omar');
  const zoe = memberOf(orgId, blazers, 'Zoe');
  const began = { ...founded, data: { ...founded.data, foundedAt: '2026-11-10T08:00:00.000Z', ...changes } };
  const teams = [teamFormed(thunder, 'Thunder'), teamFormed(blazers, 'Blazers')];
  const consent = privacyChosen(maya, { featuredInRecaps: true });
  const header = await social.tell(orgId, began, ...teams, ...[maya, omar, zoe].map(memberJoined), consent);
  const sunday = addDays(monday, 6);
  const challengeId = randomUUID();
  const quoted = movementLogged(maya, {
    caption: 'Up before the sun again',
    loggedAt: new Date('2026-11-18T06:00:00.000Z'),
  });
  const others = [
    movementLogged(zoe, { caption: 'No', loggedAt: new Date('2026-11-19T06:00:00.000Z') }),
    movementLogged(omar, { caption: 'Long after that week', loggedAt: new Date('2026-11-23T00:00:00.000Z') }),
  ];
  const said = await social.scoring.publish(
    creditedFact(maya, { centimiles: 1000, on: addDays(monday, -3) }),
    creditedFact(maya, { centimiles: 1500, on: addDays(monday, 2), run: [addDays(monday, -3), sunday, 10] }),
    creditedFact(omar, { centimiles: 600, on: addDays(monday, -2) }),
    creditedFact(omar, { centimiles: 400, on: sunday }),
    // A correction takes half of it back.
    creditedFact(omar, { centimiles: -200, on: sunday }),
    creditedFact(zoe, { centimiles: 900, on: monday }),
    creditedFact(zoe, { centimiles: 5000, on: addDays(monday, 7) }),
    ...[maya, zoe].map((member) => challengeCompleted(member, 'Walk 5 miles', challengeId)),
    challengeCompleted(maya, 'Walk 5 miles', challengeId),
    checkpointReached(orgId, thunder, { name: 'Chollerford', mileMark: 27, reachedAt: '2026-11-20T12:00:00.000Z' }),
  );
  const logged = await social.activity.publish(quoted, ...others);
  const logins = [signedIn(maya, '2026-11-16T08:00:00.000Z'), signedIn(zoe, '2026-11-22T23:59:59.000Z')];
  const entered = await social.identity.publish(...logins, signedIn(omar, '2026-11-23T00:00:00.000Z'));
  await social.scoring.redeliver(...said);
  await social.activity.redeliver(...logged);
  await social.identity.redeliver(...entered);
  const count = async (table: string) => (await social.rows(orgId, `select from ${table} where org_id = $1`)).length;
  await eventually(async () => {
    expect(
      await Promise.all(['posts', 'recap_member_weeks', 'recap_achievements', 'members', 'recap_sign_ins'].map(count)),
    ).toEqual([3, 6, 2, 3, 3]);
    expect(await count('checkpoint_entries')).toBe(1);
  });
  const read = async (member: TestMember, week = monday, headers = header) => {
    const { status, body } = await (await social.as(member)).get<Recap>(`/api/recaps/${week}`, headers);
    return { status, recap: status === 200 ? recapSchema.strict().parse(body) : null };
  };
  return {
    social,
    orgId,
    thunder,
    blazers,
    maya,
    omar,
    zoe,
    header,
    quoted,
    build: (at = toldAt) => social.app.get(RecapsService).buildDue(at),
    read,
    recapOf: async (member: TestMember, headers = header) => {
      const { recap } = await read(member, monday, headers);
      if (!recap) throw new Error('There is no recap');
      return recap;
    },
    rows: <Row extends object>(sql: string) => social.rows<Row>(orgId, sql),
    engage: async (member: TestMember, id: string, body: object, headers: Record<string, string> = {}) =>
      (await social.as(member)).post<Record<string, unknown>>(`/api/recaps/${id}/engagement`, body, headers),
  };
}

/** The recaps of the told week that this organisation has published. */
export const recapsOf = ({ heard }: Listener, orgId: string) =>
  heard
    .filter((fact) => fact.type === 'WeeklyRecapBuilt' && fact.orgId === orgId)
    .map(({ data }) => weeklyRecapBuilt.data.parse(data))
    .filter(({ weekStartsOn }) => weekStartsOn === monday);
