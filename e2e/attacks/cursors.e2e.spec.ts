import { liveMessageSchema } from '@caravan/contracts/http/live';
import { expect, test } from '@playwright/test';
import { Client } from '@caravan/event-store/postgres/client';
import { target } from '../env.ts';
import { ownPhoto } from './photos.ts';
import type { OperationId } from './places.ts';
import { type Call, type Heard, send } from './send.ts';
import { operationOf, pagedOperations } from './served-document.ts';
import { must, type Party, party, type Person, signUp } from './world.ts';

let home: Party;
let other: Person;
let stranger: Person;
let paged: readonly OperationId[];
test.beforeAll(async () => {
  home = await party('Cursors');
  paged = await pagedOperations();
  [other, stranger] = [await home.newMember(), await signUp('Stranger', { organizationName: 'Elsewhere' })];
  await fillLists();
});

/** Two rows for the admin in every list, so that each has a second page. */
async function fillLists(): Promise<void> {
  const { admin, member, logId } = home;
  await must('follow', other, { path: { id: admin.id } });
  await must('follow', admin, { path: { id: other.id } });
  for (const nth of [1, 2]) {
    const { objectPath: photoPath } = await ownPhoto(admin);
    const body = { activityType: 'Walking', durationMinutes: 10, photoPath, caption: `Photo ${nth}` };
    await must('logMovement', admin, { body });
  }
  for (const person of [admin, member])
    await must('reactToPost', person, { body: { movementLogId: logId, emoji: '🙌' } });
  const integrations = new Client({
    connectionString: target().postgres.integrations,
    options: '-c app.org=system',
  });
  await integrations.connect();
  const whose = [admin.orgId, admin.id];
  await integrations.query(
    `insert into sync_runs (org_id, run_id, user_id, provider, cause, state, from_at, to_at, reached_at, started_at,
       ended_at, due_at)
     select $1, gen_random_uuid(), $2, 'strava', 'asked', 'done', now(), now(), now(), now() - n * interval '1 minute', now(),
       now() from generate_series(1, 2) n`,
    whose,
  );
  await integrations.query(
    `insert into imported_workouts (org_id, import_id, user_id, provider, external_id, seen_at, activity_type, started_at,
       duration_minutes, audience, is_scored, state, why)
     select $1, gen_random_uuid(), $2, 'strava', 'made-' || n, now(), 'Walking', now() - n * interval '1 day', 30, 'owner',
       false, 'skipped', 'too-short' from generate_series(1, 2) n`,
    whose,
  );
  await integrations.end();
}

const belowPost = new Set<OperationId>(['listReactions', 'listComments']);
const callOf = (list: OperationId, query: Record<string, string> = {}): Call => ({
  path: { id: belowPost.has(list) ? home.logId : home.admin.id },
  query: { limit: '1', ...query },
});
const ask = (list: OperationId, who: Person, query?: Record<string, string>) =>
  send(operationOf(list), callOf(list, query), who);

function nextOf({ headers }: Heard): string | undefined {
  const [, query] = /\?([^>]+)>; rel="next"/.exec(headers.get('link') ?? '') ?? [];
  return new URLSearchParams(query).get('cursor') ?? undefined;
}

async function cursorOf(list: OperationId): Promise<string> {
  const heard = await ask(list, home.admin);
  const cursor = nextOf(heard);
  if (cursor === undefined) throw new Error(`${list} has no second page: ${heard.told}`);
  return cursor;
}

const idsOf = () => {
  const { admin, member, orgId, logId, teamId, inviteId } = home;
  return [admin.id, member.id, other.id, orgId, logId, teamId, inviteId];
};

/** Decodes a cursor in the usual ways and returns the ids, times, numbers and texts that a reader would find. */
function revealedBy(cursor: string): string[] {
  const bytes = Buffer.from(cursor, 'base64url');
  const spelled = [cursor, bytes.toString('utf8'), bytes.toString('latin1'), bytes.toString('hex')].join('\n');
  const ids = idsOf().flatMap((id) => [id, id.replaceAll('-', '')]);
  const patterns = [/\d{4}-\d\d-\d\d/, /[0-9a-f]{8}-[0-9a-f]{4}-/, /\d{10}/];
  return [
    ...ids.filter((id) => spelled.includes(id)),
    ...patterns.filter((pattern) => pattern.test(bytes.toString('utf8'))).map(String),
    ...(isJson(bytes.toString('utf8')) ? ['JSON'] : []),
  ];
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const refused = {
  status: 422,
  code: 'page/bad-cursor',
  message: 'This page no longer exists; start again from the first',
};

test('[D17 D18] every list of the document has a cursor that leads to its next rows and tells nothing of them', async () => {
  expect(paged.length).toBeGreaterThan(20);
  for (const list of paged) {
    const cursor = await cursorOf(list);
    const again = await cursorOf(list);
    expect([list, revealedBy(cursor)]).toEqual([list, []]);
    // The same place, another cursor: whether two readers are at one place cannot be told.
    expect([list, cursor === again]).toEqual([list, false]);
    const first = await ask(list, home.admin);
    const second = await ask(list, home.admin, { cursor });
    expect([list, second.status]).toEqual([list, 200]);
    expect([list, second.json]).not.toEqual([list, first.json]);
  }
});

test('[D17 D38] a cursor of another list, tampered with or without a seal is refused', async () => {
  for (const [nth, list] of paged.entries()) {
    const cursor = await cursorOf(list);
    const foreign = await cursorOf(paged[(nth + 1) % paged.length] ?? list);
    const flipped = `${cursor.slice(0, 30)}${cursor[30] === 'A' ? 'B' : 'A'}${cursor.slice(31)}`;
    const plain = Buffer.from(JSON.stringify([new Date().toISOString(), home.logId])).toString('base64url');
    for (const bad of [foreign, flipped, plain, cursor.slice(4), `${cursor}AA`]) {
      const { json } = await ask(list, home.admin, { cursor: bad });
      expect([list, json]).toEqual([list, expect.objectContaining(refused)]);
    }
  }
});

const sharedByAll = ['readFeedOfAll', 'readFeedOfTeam', 'readActivitiesOfAll', 'readActivitiesOfTeam'];

test('[D18 S18] a cursor serves nobody else: no colleague, but in the feeds of all, and no other organisation', async () => {
  for (const list of paged) {
    const cursor = await cursorOf(list);
    if (operationOf(list).access === 'member') {
      const { status } = await ask(list, other, { cursor });
      expect([list, status]).toEqual([list, sharedByAll.includes(list) ? 200 : 422]);
    }
    const { status } = await ask(list, stranger, { cursor });
    expect([list, [404, 422].includes(status)]).toEqual([list, true]);
  }
});

test('[D18 D35] pages of the live stream carry cursors that tell nothing and serve each reader', async () => {
  const shows = 'feed,feed-team,activities,activities-team';
  const headers = { authorization: `Bearer ${other.token}` };
  const stream = await fetch(`${target().url}/api/events?shows=${shows}`, { headers });
  const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader();
  const found = new Map<string, string>();
  let heard = '';
  for (let nth = 0; nth < 11; nth += 1)
    await must('logMovement', home.admin, { body: { activityType: 'Walking', durationMinutes: 10 } });
  while (reader && !['feed', 'activities'].every((topic) => found.has(topic))) {
    heard += (await reader.read()).value ?? '';
    for (const [, id, data = ''] of heard.matchAll(/^(?:id: (\d+)\n)?data: (.*)\n\n/gm)) {
      expect(id ?? '1').toMatch(/^\d{1,6}$/);
      const { shown = {} } = liveMessageSchema.parse(JSON.parse(data));
      for (const [topic, part] of Object.entries(shown))
        if (part && 'next' in part && typeof part.next === 'string') found.set(topic, part.next);
    }
  }
  await reader?.cancel();
  const lists = { feed: 'readFeedOfAll', activities: 'readActivitiesOfAll' } as const;
  for (const [topic, list] of Object.entries(lists)) {
    const cursor = found.get(topic) ?? '';
    expect([topic, revealedBy(cursor)]).toEqual([topic, []]);
    for (const who of [other, home.admin]) expect((await ask(list, who, { cursor })).status).toBe(200);
  }
});
