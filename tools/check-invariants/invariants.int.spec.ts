import { resolve } from 'node:path';
import { randomUUID } from '@caravan/contracts/testing/seeded';
import { createTestDatabase, dropWithoutLook } from '@caravan/service-kit/testing/database';
import type { TestDatabase } from '@caravan/service-kit/testing/database';
import { Client } from '@caravan/event-store/postgres/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { withoutAdmin } from './admins.ts';
import { brokenInvariants } from './invariants.ts';

dropWithoutLook('its rows are made wrong, to be found');
const root = resolve(import.meta.dirname, '../..');
let scoring: TestDatabase;
let client: Client;
beforeAll(async () => {
  const folders = ['libs/event-store/migrations', 'libs/messaging/migrations', 'services/scoring/prisma/migrations'];
  scoring = await createTestDatabase({ folders: folders.map((folder) => `${root}/${folder}`) });
  client = new Client({ connectionString: scoring.url, options: '-c app.org=system' });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await scoring.drop();
});

const orgId = randomUUID();
const userId = randomUUID();

test('[I2 D9] a total that no entry explains is told, of one service alone as well', async () => {
  expect(await brokenInvariants({ scoring: scoring.url })).toEqual([]);
  await client.query(
    `insert into member_totals (org_id, user_id, centimiles, reached_at, version) values ($1, $2, 300, now(), 1)`,
    [orgId, userId],
  );
  expect(await brokenInvariants({ scoring: scoring.url })).toEqual([
    `I2 a member total is the sum of its entries: ${orgId}/${userId} is 300, should be 0`,
  ]);
});

test('[I4] a badge that nobody was awarded is told', async () => {
  await client.query(
    `insert into member_badges (org_id, user_id, badge_id, earned_at) values ($1, $2, 'mile-1', now())`,
    [orgId, userId],
  );
  expect(await brokenInvariants({ scoring: scoring.url })).toContain(
    `I4 a badge is earned once: ${orgId}/${userId}/mile-1 is 1, should be 0`,
  );
});

test('[I5 I13 D20] a vote too many is told, a tally that nobody voted for, and a notice without its fact', async () => {
  const folders = ['libs/event-store/migrations', 'libs/messaging/migrations', 'services/social/prisma/migrations'];
  const social = await createTestDatabase({ folders: folders.map((folder) => `${root}/${folder}`) });
  const ballots = new Client({ connectionString: social.url, options: '-c app.org=system' });
  await ballots.connect();
  expect(await brokenInvariants({ social: social.url })).toEqual([]);
  const ballotId = randomUUID();
  const optionId = randomUUID();
  await ballots.query(
    `insert into ballot_options (org_id, ballot_id, option_id, place, votes) values ($1, $2, $3, 1, 2)`,
    [orgId, ballotId, optionId],
  );
  await ballots.query(
    `insert into ballot_votes (org_id, ballot_id, user_id, option_id, voted_at) values ($1, $2, $3, $4, now())`,
    [orgId, ballotId, userId, optionId],
  );
  expect(await brokenInvariants({ social: social.url })).toEqual([
    `I5 a member votes once in a ballot: ${orgId}/${ballotId}/${userId} is 0, should be 1`,
    `I5 the tally of a name is the count of its votes: ${orgId}/${ballotId}/${optionId} is 2, should be 0`,
  ]);
  await ballots.query(
    `insert into notices (org_id, notice_id, user_id, kind, subject, raised_at) values ($1, $2, $3, 'reaction', $4, now())`,
    [orgId, ballotId, userId, optionId],
  );
  await ballots.query(
    `insert into notice_items (org_id, item_id, notice_id, actor_id, facts, happened_at) values ($1, $2, $3, $4, '{}', now())`,
    [orgId, optionId, ballotId, userId],
  );
  expect(await brokenInvariants({ social: social.url })).toEqual(
    expect.arrayContaining([
      `I13 every notice of a reaction has its fact: ${orgId}/${ballotId} is 1, should be 0`,
      `I13 nobody is notified of their own doing: ${orgId}/${ballotId} is 1, should be 0`,
    ]),
  );
  await ballots.end();
  await social.drop();
});

test('[I13 D34] a notice of a follower, a badge or a recap that others know nothing of is told', async () => {
  const databaseOf = (service: string) =>
    createTestDatabase({
      folders: [
        'libs/event-store/migrations',
        'libs/messaging/migrations',
        `services/${service}/prisma/migrations`,
      ].map((folder) => `${root}/${folder}`),
    });
  const [identity, social] = await Promise.all([databaseOf('identity'), databaseOf('social')]);
  const notices = new Client({ connectionString: social.url, options: '-c app.org=system' });
  await notices.connect();
  const followerId = randomUUID();
  const teamId = randomUUID();
  await notices.query(
    `insert into members (org_id, user_id, team_id, name, joined_on) values ($1, $2, $3, 'Omar', now())`,
    [orgId, followerId, teamId],
  );
  for (const [kind, facts] of [
    ['follower', {}],
    ['badge', { badgeId: 'mile-5' }],
    ['recap-ready', {}],
  ] as const)
    await notices.query(
      `with n as (insert into notices (org_id, notice_id, user_id, kind, subject, raised_at)
         values ($1, gen_random_uuid(), $2, $3, 'x', now()) returning *)
       insert into notice_items (org_id, item_id, notice_id, actor_id, facts, happened_at)
       select org_id, notice_id, notice_id, $4, $5, now() from n`,
      [orgId, userId, kind, kind === 'follower' ? followerId : null, JSON.stringify(facts)],
    );
  expect(await brokenInvariants({ identity: identity.url, scoring: scoring.url, social: social.url })).toEqual(
    expect.arrayContaining([
      `I13 every notice of a follower has its fact: ${orgId}/${userId}/${followerId} is 1, should be 0`,
      `I13 every notice of a badge has its fact: ${orgId}/${userId}/mile-5 is 1, should be 0`,
      expect.stringMatching(/^I13 every notice of a recap has its fact: /),
    ]),
  );
  await notices.end();
  await Promise.all([identity.drop(), social.drop()]);
});

test('[I7] an import that counts twice, otherwise than it was told, or for nobody is told; one removed by hand is not', async () => {
  const databaseOf = (service: string) =>
    createTestDatabase({
      folders: [
        'libs/event-store/migrations',
        'libs/messaging/migrations',
        `services/${service}/prisma/migrations`,
      ].map((folder) => `${root}/${folder}`),
    });
  const [activity, integrations] = await Promise.all([databaseOf('activity'), databaseOf('integrations')]);
  const [logs, imports] = [activity, integrations].map(
    ({ ownerUrl }) => new Client({ connectionString: ownerUrl, options: '-c app.org=system' }),
  );
  if (!logs || !imports) throw new Error('two databases');
  await Promise.all([logs.connect(), imports.connect()]);
  const findBroken = () => brokenInvariants({ activity: activity.url, integrations: integrations.url });
  const logId = randomUUID();
  const removedId = randomUUID();
  for (const id of [logId, removedId])
    await imports.query(
      `insert into imported_workouts (org_id, import_id, user_id, provider, external_id, seen_at, started_at,
         duration_minutes, audience, is_scored, state, log_id, revision)
       values ($1, gen_random_uuid(), $2, 'strava', $3, now(), now(), 30, 'owner', true, 'counted', $4, 1)`,
      [orgId, userId, id, id],
    );
  const logEvent = (id: string, version: number) => {
    const data = { logId: id, userId, centimiles: 300, import: { revision: 1, audience: 'owner', isScored: true } };
    return logs.query(
      `insert into es.events (org_id, stream_id, version, category, partition_key, event_id, type, schema_version, data, meta,
         recorded_at) values ($1, $2, $3, 'movement', $4, gen_random_uuid(), 'MovementLogged', 1,
         $5, '{}', now())`,
      [orgId, `movement-${id}`, version, userId, data],
    );
  };
  const standing = 'an imported log stands as integrations counts its workout now';
  const once = 'a workout that counts was imported once';
  const ids = [logId, removedId].toSorted();
  expect(await findBroken()).toEqual([
    ...ids.map((id) => `I7 ${standing}: ${orgId}/${id}/1/300 is 0, should be 1`),
    ...ids.map((id) => `I7 ${once}: ${orgId}/${id} is 1, should be 0`),
  ]);
  for (const id of [logId, removedId]) await logEvent(id, 1);
  await logs.query(`insert into members (org_id, user_id, team_id, time_zone) values ($1, $2, $1, 'UTC')`, [
    orgId,
    userId,
  ]);
  await logs.query(
    `insert into movement_logs (org_id, log_id, user_id, team_id, activity, duration_minutes, centimiles, multiplier, source,
       started_at, logged_at, logged_on, time_zone, is_scored) values ($1, $2, $3, $1, 'Running', 30, 300, 1, 'strava', now(),
       now(), current_date, 'UTC', true)`,
    [orgId, logId, userId],
  );
  const ofImports = async () => (await findBroken()).filter((line) => line.startsWith('I7'));
  expect(await ofImports()).toEqual([`I7 ${standing}: ${orgId}/${removedId}/1/300 is 0, should be 1`]);
  await imports.query(
    `update imported_workouts set state = 'removed', log_id = null, removed_at = now(), removed_started_at = now(),
       removed_minutes = 30, removed_alone = false where log_id = $1`,
    [removedId],
  );
  expect(await ofImports()).toEqual([]);
  await imports.query(`update imported_workouts set state = 'unscored' where log_id = $1`, [logId]);
  expect(await ofImports()).toEqual([
    `I7 ${standing}: ${orgId}/${logId}/1/0 is 0, should be 1`,
    `I7 ${standing}: ${orgId}/${logId}/1/300 is 1, should be 0`,
  ]);
  await imports.query(`update imported_workouts set state = 'counted' where log_id = $1`, [logId]);
  await logEvent(logId, 2);
  expect(await ofImports()).toEqual([`I7 ${once}: ${orgId}/${logId} is 1, should be 2`]);
  await Promise.all([logs.end(), imports.end()]);
  await Promise.all([activity.drop(), integrations.drop()]);
});

test('[D3] an organisation that nobody looks after is told, with the command that mends it', async () => {
  const folders = ['libs/event-store/migrations', 'libs/messaging/migrations', 'services/identity/prisma/migrations'];
  const identity = await createTestDatabase({ folders: folders.map((folder) => `${root}/${folder}`) });
  const people = new Client({ connectionString: identity.url, options: '-c app.org=system' });
  await people.connect();
  const foundOrganisation = async (members: readonly string[], hasInvite: boolean) => {
    const id = randomUUID();
    await people.query(
      `insert into organisations (org_id, name, time_zone, founded_at) values ($1, 'X', 'UTC', now())`,
      [id],
    );
    for (const role of members)
      await people.query(
        `insert into memberships (org_id, user_id, team_id, role, is_active, joined_at)
          values ($1, gen_random_uuid(), gen_random_uuid(), split_part($2, ' ', 2), $2 like 'active %', now())`,
        [id, role],
      );
    if (hasInvite)
      await people.query(
        `insert into invites (org_id, invite_id, code, created_by, created_at, expires_at)
          values ($1, gen_random_uuid(), gen_random_uuid()::text, gen_random_uuid(), now(), now() + interval '1 day')`,
        [id],
      );
    return id;
  };
  const full = await foundOrganisation(['active member', 'asleep admin'], true);
  const alone = await foundOrganisation(['active member'], false);
  const empty = await foundOrganisation([], true);
  await foundOrganisation(['active admin', 'active member'], true);
  await foundOrganisation([], false);
  expect((await withoutAdmin(identity.url)).toSorted()).toEqual(
    [
      `${full}: 2 members, no admin. ./caravan appoint-admin <e-mail>`,
      `${alone}: 1 member, no admin. ./caravan appoint-admin <e-mail>`,
      `${empty}: an open invite, no admin. ./caravan close-organisation ${empty}`,
    ].toSorted(),
  );
  await people.query('update organisations set closed_at = now()');
  expect(await withoutAdmin(identity.url)).toEqual([]);
  await people.end();
  await identity.drop();
});
