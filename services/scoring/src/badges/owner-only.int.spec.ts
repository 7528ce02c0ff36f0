import { randomUUID } from '@caravan/contracts/testing/seeded';
import { galleryBadgesSchema } from '@caravan/contracts/http/badges';
import { milesCredited, shownStreakIn } from '@caravan/contracts/events/scoring.events';
import { rebuild } from '@caravan/event-store/rebuild/rebuild';
import { eventually } from '@caravan/event-store/testing/eventually';
import { type Listener, listenTo } from '@caravan/messaging/testing/listener';
import { startPeerService } from '@caravan/messaging/testing/peer-service';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ledgerOfAll, rebuildable } from '../app.module.ts';
import { isClaimed, foundWithChallenges } from '../testing/challenges-under-test.ts';
import {
  dateOf,
  type Fact,
  history,
  latestRunOf,
  factsOf,
  type Log,
  reachedBy,
  removedFact,
  shownIn,
  loggedFact,
} from '../testing/owner-only-histories.ts';
import { minPosition, movementLogged, movementRemoved, startScoring } from '../testing/scoring-under-test.ts';
import type { ScoringUnderTest, TestMember } from '../testing/scoring-under-test.ts';
import { badgesProjection } from './badges.projection.ts';

let scoring: ScoringUnderTest;
let listener: Listener;
beforeAll(async () => {
  scoring = await startScoring();
  listener = await listenTo('scoring', scoring.env);
});
afterAll(async () => {
  await listener.close();
  await scoring.close();
});

/** Everything twice and then backwards; answers the header that waits for it. */
async function deliver(...facts: readonly Fact[]) {
  const said = await scoring.activity.publish(...facts.flatMap((fact) => [fact, fact]));
  await scoring.activity.redeliver(...said.toReversed());
  return minPosition('activity', said);
}

type BadgeRow = { readonly badgeId: string; readonly isOwnerOnly: boolean };

const badgesOf = async ({ orgId, userId }: TestMember): Promise<Record<string, boolean>> => {
  const rows = await scoring.rows<BadgeRow>(
    orgId,
    `select badge_id, is_owner_only from member_badges
     where org_id = $1 and user_id = $2 and badge_id not in ('first-checkpoint', 'first-route') order by badge_id`,
    userId,
  );
  return Object.fromEntries(rows.map(({ badgeId, isOwnerOnly }) => [badgeId, isOwnerOnly]));
};

const galleryOf = async (member: TestMember, header: Record<string, string> = {}) => {
  const { body } = await (await scoring.as(member)).get('/api/badges/all', header);
  const badges = galleryBadgesSchema.parse(body).filter(({ category }) => category !== 'Journey');
  return badges.flatMap(({ badgeId, isEarned }) => (isEarned ? [badgeId] : []));
};

/** The badge events that scoring published for a member, in order. */
const publishedBadges = (member: TestMember, ...badgeIds: readonly string[]) =>
  listener.heard
    .filter(({ type, key }) => key === member.userId && type.includes('Badge'))
    .map(({ type, data }) => ({ type, badgeId: (data as { badgeId: string }).badgeId }))
    .filter(({ badgeId }) => badgeIds.includes(badgeId))
    .map(({ type, badgeId }) => `${type} ${badgeId}`);

const newestCredit = (member: TestMember) => {
  const credits = listener.heard.filter(({ type, key }) => type === 'MilesCredited' && key === member.userId);
  const newest = credits.toSorted((one, other) => other.position - one.position)[0];
  return newest && milesCredited.data.parse(newest.data);
};

const walk = (daysAgo: number): Log => ({ daysAgo, minutes: 40, activityType: 'Walking' });

async function one() {
  const organisation = await scoring.foundOrganisation(['Maya', 'Omar']);
  const [maya] = organisation.members;
  if (!maya) throw new Error('two members');
  return { ...organisation, maya };
}

describe('badges and streaks that rest only on imports for their owner alone', () => {
  test('[D13 D21 S23] are seen by their owner alone, and go when the imports are deleted', async () => {
    const { maya } = await one();
    const imports = [2, 1, 0].map((daysAgo) => loggedFact(maya, walk(daysAgo), 'owner'));
    expect(await galleryOf(maya, await deliver(...imports))).toEqual(['first-log', 'mile-1', 'miles-10', 'streak-3']);
    expect(await badgesOf(maya)).toEqual({ 'first-log': true, 'mile-1': true, 'miles-10': true, 'streak-3': true });
    await eventually(() => expect(newestCredit(maya)?.latestRun).toEqual({ startedOn: dateOf(2), endedOn: dateOf(0) }));
    expect(newestCredit(maya)?.shown).toEqual({ latestRun: null });
    expect(await galleryOf(maya, await deliver(...imports.map(removedFact)))).toEqual([]);
    expect(await badgesOf(maya)).toEqual({});
    await eventually(() =>
      expect(publishedBadges(maya, 'streak-3')).toEqual(['OwnBadgeEarned streak-3', 'BadgeWithdrawn streak-3']),
    );
  });

  test('[D13 D21] are shown to colleagues once other data has earned them, and stay when the imports are deleted', async () => {
    const { maya } = await one();
    const imported = loggedFact(maya, walk(1), 'owner');
    await galleryOf(maya, await deliver(imported));
    expect(await badgesOf(maya)).toEqual({ 'first-log': true, 'mile-1': true });
    await galleryOf(maya, await deliver(loggedFact(maya, { ...walk(0), minutes: 5 }, 'organisation')));
    expect(await badgesOf(maya)).toEqual({ 'first-log': false, 'mile-1': true });
    await eventually(() =>
      expect(newestCredit(maya)?.shown?.latestRun).toEqual({ startedOn: dateOf(0), endedOn: dateOf(0) }),
    );
    await galleryOf(maya, await deliver(removedFact(imported)));
    expect(await badgesOf(maya)).toEqual({ 'first-log': false });
    await eventually(() => {
      expect(publishedBadges(maya, 'first-log')).toEqual(['OwnBadgeEarned first-log', 'BadgeEarned first-log']);
      expect(newestCredit(maya)?.shown).toBeUndefined();
    });
  });

  test('[D13 D21] hold a weekly challenge and its badge for their owner alone, and both go with them', async () => {
    const { maya, api, named } = await foundWithChallenges(scoring, ['Maya', 'Omar']);
    const { data, ...about } = movementLogged(maya, { centimiles: 900 });
    const imported = { ...about, data: { ...data, audience: 'owner' as const } };
    const header = await deliver(imported);
    expect(await isClaimed(api, named('Walk 5 miles').id, header)).toBe(true);
    expect((await badgesOf(maya))['first-weekly-challenge']).toBe(true);
    await eventually(() =>
      expect(
        listener.heard.find(({ type, key }) => type === 'WeeklyChallengeCompleted' && key === maya.userId)?.data,
      ).toMatchObject({
        isOwnerOnly: true,
      }),
    );
    await deliver(movementRemoved(imported));
    await eventually(async () => expect(await badgesOf(maya)).toEqual({}));
  });

  test('[D33 D21] hold the badge of a checkpoint for their owner alone', async () => {
    const { orgId, maya } = await one();
    const imported = loggedFact(maya, { ...walk(0), minutes: 1_200 }, 'owner');
    await deliver(imported);
    const ofCheckpoint = async () => {
      const rows = await scoring.rows<BadgeRow>(
        orgId,
        `select badge_id, is_owner_only from member_badges
         where org_id = $1 and user_id = $2 and badge_id = 'first-checkpoint'`,
        maya.userId,
      );
      return rows.map(({ isOwnerOnly }) => isOwnerOnly);
    };
    await eventually(async () => expect(await ofCheckpoint()).toEqual([true]));
    await deliver(removedFact(imported));
    await eventually(async () => expect(await ofCheckpoint()).toEqual([]));
  });

  test('[D13 D21] are earned by no photo and no reaction that nobody else may see', async () => {
    const { maya } = await one();
    const social = await startPeerService('social', scoring.env);
    const { data, ...about } = loggedFact(maya, walk(0), 'owner');
    await deliver({ ...about, data: { ...data, photoPath: `/objects/photos/${randomUUID()}` } });
    const given = {
      logId: data.logId,
      userId: maya.userId,
      authorId: maya.userId,
      emoji: '💪',
      givenAt: new Date().toISOString(),
      isOwnerOnly: true,
    };
    const said = await social.publish(
      { type: 'ReactionGiven', version: 1, orgId: maya.orgId, key: maya.userId, data: given },
      {
        type: 'VoteCast',
        version: 1,
        orgId: maya.orgId,
        key: maya.userId,
        data: { ballotId: randomUUID(), teamId: maya.teamId, userId: maya.userId, votedAt: given.givenAt },
      },
    );
    await galleryOf(maya, minPosition('social', said));
    const photographed = await scoring.activity.publish({
      ...about,
      data: { ...data, logId: randomUUID(), audience: 'organisation', photoPath: `/objects/photos/${randomUUID()}` },
    });
    await galleryOf(maya, minPosition('activity', photographed));
    await eventually(async () => expect((await badgesOf(maya))['first-photo']).toBe(false));
    await eventually(() =>
      expect(publishedBadges(maya, 'first-photo', 'first-reaction')).toEqual(['BadgeEarned first-photo']),
    );
    await social.close();
  });
});

const difference = (these: readonly string[], those: readonly string[]) => [
  ...new Set(these.filter((one) => !those.includes(one))),
];

test('[D13 D21 S23] whatever is logged, imported, removed, disconnected and reconnected, colleagues see what is for them', async () => {
  const histories = fc.sample(history, 40);
  const { orgId, members } = await scoring.foundOrganisation(histories.map((_, nth) => `P${nth}`));
  const stories = members.map((member, nth) => ({ member, ...factsOf(member, histories[nth] ?? []) }));
  const turns = Math.max(...stories.map(({ facts }) => facts.length));
  const mixed = Array.from({ length: turns }, (_, turn) => stories.flatMap(({ facts }) => facts[turn] ?? []));
  const said = await scoring.activity.publish(...mixed.flat());
  await scoring.activity.redeliver(...said, ...said.toReversed());
  for (const { member, facts, states } of stories) {
    if (facts.length === 0) continue;
    await galleryOf(
      member,
      minPosition(
        'activity',
        said.filter(({ key }) => key === member.userId),
      ),
    );
    const last = states.at(-1) ?? [];
    const held = await badgesOf(member);
    const own = Object.keys(held).filter((id) => held[id]);
    const shown = Object.keys(held).filter((id) => !held[id]);
    const everShown = states.flatMap((kept) => reachedBy(shownIn(kept)));
    const found = {
      // A state between two acts of one batch may pass unseen; what is there at the end may not.
      missing: difference(reachedBy(shownIn(last)), shown),
      missingForOwner: difference(reachedBy(last), Object.keys(held)),
      shownTooEarly: difference(shown, everShown),
      ownWithoutGrounds: difference(own, states.flatMap(reachedBy)),
      leftBehind: last.some(({ audience }) => audience === 'owner') ? [] : own,
    };
    expect(
      found,
      JSON.stringify({ held, states: states.map((kept) => kept.map((one) => [one.audience, one.log])) }),
    ).toEqual({
      missing: [],
      missingForOwner: [],
      shownTooEarly: [],
      ownWithoutGrounds: [],
      leftBehind: [],
    });
    await eventually(() => {
      const credit = newestCredit(member);
      const seen = credit && { own: credit.latestRun, shown: shownStreakIn(credit).latestRun };
      expect(seen).toEqual({ own: latestRunOf(last), shown: latestRunOf(shownIn(last)) });
    });
  }
  const tables = ['member_badges', 'member_totals', 'streak_runs', 'ledger_entries'];
  const rowsOf = () =>
    Promise.all(
      tables.map((table) =>
        scoring.rows(orgId, `select * from ${table} t where org_id = $1 order by to_jsonb(t)::text`),
      ),
    );
  // Badges of the road are awarded after the logs that brought the team there: until then a rebuild finds more of them.
  await eventually(async () => {
    const before = await rowsOf();
    for (const projection of [...ledgerOfAll.projections, badgesProjection])
      await rebuild({ ...rebuildable, databaseUrl: scoring.ownerUrl, projection });
    expect(await rowsOf()).toEqual(before);
  });
}, 240_000);
