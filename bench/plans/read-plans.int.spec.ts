import { eventually } from '@caravan/event-store/testing/eventually';
import { weeklyChallengesSchema } from '@caravan/contracts/http/challenges';
import { operations } from '@caravan/contracts/http/operations';
import type { Operation } from '@caravan/contracts/http/operations/operation';
import { watchStatements } from '@caravan/service-kit/testing/executed-statements';
import type { Executed } from '@caravan/service-kit/testing/executed-statements';
import { dropWithoutLook } from '@caravan/service-kit/testing/database';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { seededServices } from '../seeding/seed.ts';
import type { SeededService } from '../seeding/seed.ts';
import { analyze, comeIn, withoutAutovacuum } from './growing.ts';
import { starts } from './services.ts';
import type { Organisation, ServiceOfOrganisations } from './services.ts';

dropWithoutLook('members and logs are put down as rows, without the messages behind them');
/** What a page of a list or a board touches at most, whoever else lives in the database. */
const mostBlocks = 200;

// Its narrowest table fills twice `mostBlocks`: whoever reads one whole is seen.
const largeSize = 40_000;
const burstSize = 5_000;

/** Reads with an argument, and reads that list in an order of the caller's. */
const pathsOf: Readonly<Record<string, (founder: { userId: string }) => string[]>> = {
  '/api/users/{id}': ({ userId }) => [`/api/users/${userId}`],
  '/api/users/{id}/followers': ({ userId }) => [`/api/users/${userId}/followers`],
  '/api/users/{id}/following': ({ userId }) => [`/api/users/${userId}/following`],
  '/api/users/{id}/photos': ({ userId }) => [`/api/users/${userId}/photos`],
  '/api/members': () => ['name', '-miles', 'joined', '-active'].map((sort) => `/api/members?limit=20&sort=${sort}`),
  '/api/leaderboard': () => ['/api/leaderboard', '/api/leaderboard?period=week'],
};
/** Reads that need what a founder alone has not, one whose guesses are counted, and a file that is all of a list. */
const elsewhere = new Set([
  '/api/feed/{id}/reactions',
  '/api/feed/{id}/comments',
  '/api/feed/entries/{id}',
  '/api/teams/{id}/name-options',
  '/api/recaps/{id}',
  '/api/recaps/{id}/picture',
  '/api/recaps/{id}/analytics',
  '/api/me/export/file',
  '/api/weekly-challenges/{id}/progress',
  '/api/invitations',
  '/api/audit/file',
  '/objects/photos/{photoId}/{size}.webp',
  // Questions of the panel, which begin an upload or are about one.
  '/companion/s3/params',
  ...['', '/batch', '/{partNumber}'].map((rest) => `/companion/s3/multipart/{uploadId}${rest}`),
]);

const all: readonly Operation[] = Object.values(operations);
const readsOf = (service: SeededService) =>
  all
    .filter((one) => one.service === service && one.method === 'get' && !elsewhere.has(one.path))
    .map(({ path }) => path);

async function readAll(service: SeededService, { place, get }: Organisation): Promise<void> {
  const read = async (path: string): Promise<unknown> => {
    const { status, body } = await get(path);
    // A founder in whose name another service plays identity is a member: what needs an admin is refused there.
    if (status >= 400 && status !== 403) throw new Error(`GET ${path} answered ${status}`);
    return body;
  };
  for (const path of readsOf(service).flatMap((each) => pathsOf[each]?.(place.founder) ?? [each])) {
    const body = await read(path);
    if (path !== '/api/weekly-challenges') continue;
    for (const { id } of weeklyChallengesSchema.parse(body)) await read(`/api/weekly-challenges/${id}/progress`);
  }
}

describe.each(seededServices)('what %s reads', (service) => {
  let running: ServiceOfOrganisations;
  let statements: Awaited<ReturnType<typeof watchStatements>>;
  let [small, large, late]: Organisation[] = [];
  beforeAll(async () => {
    running = await starts[service]();
    await withoutAutovacuum({ service, ownerUrl: running.ownerUrl });
    statements = await watchStatements(running);
    small = await running.foundOrganisation();
  });
  afterAll(() => running.close());

  const costly = async (organisation: Organisation | undefined): Promise<string[]> => {
    if (!organisation) throw new Error('an organisation');
    const executed = await statements.during(() => readAll(service, organisation));
    expect(executed.length).toBeGreaterThan(0);
    return executed
      .filter(({ blocks }) => blocks > mostBlocks)
      .map(({ text, blocks }: Executed) => `${blocks}: ${text.replace(/\s+/g, ' ')}`);
  };

  // A large board is counted in PostgreSQL until Redis has it, which the first to ask begins; and a plan for an empty table
  // stays with its connection for twenty seconds (design/database.md).
  const readsCheaply = (organisation: Organisation | undefined) =>
    eventually(async () => expect(await costly(organisation)).toEqual([]));

  test('[G5] touches few blocks in an empty instance', async () => {
    for (let time = 0; time < 12; time += 1) await readsCheaply(small);
  });

  test('[G5] touches few blocks within half a minute of a burst into an instance that was empty', async () => {
    const database = { service, ownerUrl: running.ownerUrl };
    late = await running.foundOrganisation();
    await comeIn(database, late.place, burstSize);
    await readsCheaply(late);
    await readsCheaply(small);
  });

  test('[G5] touches few blocks of a large organisation beside small ones, and of a small one beside it', async () => {
    const database = { service, ownerUrl: running.ownerUrl };
    large = await running.foundOrganisation();
    await comeIn(database, large.place, largeSize);
    await analyze(database);
    await readsCheaply(large);
    await readsCheaply(small);
    await readsCheaply(late);
  }, 300_000);

  test('[G5] touches few blocks within half a minute of a burst by an organisation that statistics do not know', async () => {
    const database = { service, ownerUrl: running.ownerUrl };
    const unknown = await running.foundOrganisation();
    await comeIn(database, unknown.place, burstSize);
    await readsCheaply(unknown);
    await readsCheaply(large);
    await readsCheaply(small);
  });
});
