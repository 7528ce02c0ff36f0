import { fork } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { type ServiceName, serviceNames } from '@caravan/contracts/events/topics';
import { chooseCases } from '@caravan/contracts/testing/full';
import { claimsOf, foundOrganisation, joinOrganisation } from '@caravan/identity/testing/organisations';
import { password, type Visitor } from '@caravan/identity/testing/visitor';
import type { AnyProjection } from '@caravan/event-store/rebuild/rebuild';
import { eventually } from '@caravan/event-store/testing/eventually';
import type { ReadModel, RebuildStep } from '@caravan/messaging/consumer/read-model';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AllServices, startAllServices } from './all-services.ts';
import { asOwner, generationsOf, hold, rowsOf } from './rebuilding.ts';
import { declared, run } from './services.ts';

let product: AllServices;
let services: AllServices['services'];
let identity: AllServices['identity'];
const idle = () => product.idle();
const at = (service: ServiceName, who: Visitor) => product.at(service, who);
const log = (who: Visitor, body: object) => product.log(who, body);

beforeAll(async () => {
  product = await startAllServices();
  ({ services, identity } = product);
  await livedThrough();
  await idle();
});
afterAll(() => product.close());

const command = (service: ServiceName, ...args: string[]) => ({
  service,
  args,
  env: { ...services[service].env, MIGRATION_DATABASE_URL: services[service].ownerUrl },
});

async function admin(service: ServiceName, ...args: string[]): Promise<string> {
  const lines: string[] = [];
  const exitCode = await run(command(service, ...args), (line) => {
    lines.push(line);
  });
  expect({ exitCode, said: exitCode === 0 ? '' : lines.join('\n') }).toEqual({ exitCode: 0, said: '' });
  return lines.join('\n');
}

/** What `./caravan rebuild SERVICE NAME` does; something else may go on beside each of its steps. */
async function rebuild(service: ServiceName, name: string, beside = () => Promise.resolve()): Promise<void> {
  const [rest] = await Promise.all([begin(service, name), beside()]);
  for (const args of rest) await Promise.all([admin(service, ...args), beside()]);
}

/** All but the last commands of a rebuild; answers those. */
async function begin(service: ServiceName, name: string): Promise<string[][]> {
  const steps = JSON.parse(await admin(service, '--begin-rebuild', name)) as RebuildStep[];
  for (const step of steps)
    if (step.is === 'consumed')
      for (const replay of step.replays) await admin(replay.service, '--republish', replay.topic);
  return steps.map((step) => [step.is === 'inline' ? '--rebuild' : '--finish-rebuild', step.name]);
}

type Killed = { service: ServiceName; model: ReadModel; projection: AnyProjection | undefined };

const models = serviceNames.flatMap((service) => declared[service].readModels.map((model) => ({ service, model })));
/** One of each service; in a full run all. */
const chosenModels = chooseCases(
  models,
  serviceNames.flatMap((service) => models.filter((one) => one.service === service).slice(0, 1)),
);

describe('every read model', () => {
  test.each(serviceNames)(
    '[D49] of %s is declared: a table is made again by a rebuild or says why it cannot be',
    async (service) => {
      const { kinds, readModels = [] } = declared[service].rebuildable;
      const inline = kinds.flatMap((kind) => kind.projections.flatMap(({ tables }) => tables));
      const { rows } = await services[service].pool.query<{ name: string }>(
        `select case nspname when 'public' then relname else nspname || '.' || relname end as name
       from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where relkind = 'r' and nspname in ('public', 'audit') and relname <> '_prisma_migrations' order by 1`,
      );
      const told = [
        ...inline,
        ...readModels.flatMap(({ tables }) => tables),
        ...Object.keys(declared[service].ownTables),
      ];
      expect([...new Set(told)].toSorted()).toEqual(rows.map(({ name }) => name).toSorted());
      expect(told.filter((table, nth) => told.indexOf(table) !== nth && !inline.includes(table))).toEqual([]);
    },
  );

  test('[D49 I1] of consumers is made again as it was, row by row, from nothing, and who was erased stays away', async () => {
    const before = new Map<string, Record<string, string[]>>();
    for (const { service, model } of models)
      before.set(`${service} ${model.name}`, await rowsOf(services[service], model.tables));
    for (const found of before.values()) expect(Object.values(found).filter((rows) => rows.length === 0)).toEqual([]);

    for (const { service, model } of models.filter((one) => one.service !== 'social')) {
      await asOwner(services[service], `truncate ${model.tables.join(', ')}`);
      await rebuild(service, model.name);
      await idle();
      expect(await rowsOf(services[service], model.tables)).toEqual(before.get(`${service} ${model.name}`));
    }
    // Social has lost its database.
    const lost = declared.social.readModels;
    await asOwner(
      services.social,
      `truncate ${lost.flatMap(({ tables }) => tables).join(', ')}`,
      'truncate msg.applied, msg.erased, msg.parked',
    );
    await rebuild('social', 'all');
    await idle();
    for (const { name, tables } of lost)
      expect(await rowsOf(services.social, tables), name).toEqual(before.get(`social ${name}`));
    const everything = JSON.stringify([...before.values()]);
    expect(everything).not.toMatch(/Erased Person|erased words|erased activity|Closed Person/);
    expect(everything).toMatch(/kept words/);
  }, 240_000);

  test('[D49 I1] is the same after a rebuild under writes as after one at rest', async () => {
    const { admin: maya } = await foundOrganisation(identity, { name: 'Busy Person', organizationName: 'Busy' });
    await idle();
    // A few at each step: what is written meanwhile is all rebuilt again, and once more with every model that follows.
    let writes = 0;
    const writeSome = async () => {
      for (const end = writes + 3; writes < end; writes += 1) {
        const nth = writes;
        const id = await log(maya, { activityType: `Hopping ${nth % 5}`, photoPrompt: `words ${nth}` });
        if (nth % 4 === 1) await at('activity', maya).call('PATCH', `/api/logs/${id}`, { durationMinutes: 40 + nth });
        if (nth % 4 === 2) await at('activity', maya).call('DELETE', `/api/logs/${id}`);
        if (nth % 10 === 3) await maya.call('PATCH', '/api/me/profile', { name: `Busy ${nth}` });
      }
    };
    for (const { service, model } of chosenModels) await rebuild(service, model.name, writeSome);
    await idle();
    for (const { service, model } of chosenModels) {
      const underWrites = await rowsOf(services[service], model.tables);
      await rebuild(service, model.name);
      expect(await rowsOf(services[service], model.tables)).toEqual(underWrites);
    }
  }, 240_000);

  test('[D49 I1] of every service, inline or not, is the same when its process was killed in the middle and it is made once more', async () => {
    const killed: Killed[] = serviceNames.flatMap((service) => {
      const { readModels, rebuildable } = declared[service];
      const [projection] = rebuildable.kinds.flatMap(({ projections }) => projections);
      return readModels.slice(0, 1).map((model) => ({ service, model, projection }));
    });
    expect(serviceNames.filter((name) => killed.every(({ service }) => service !== name))).toEqual([]);
    const tablesOf = ({ model, projection }: Killed) => [...model.tables, ...(projection?.tables ?? [])];
    const before = await Promise.all(killed.map((one) => rowsOf(services[one.service], tablesOf(one))));

    const commands: ReturnType<typeof command>[] = [];
    for (const { service, model, projection } of killed) {
      for (const args of await begin(service, model.name)) commands.push(command(service, ...args));
      if (projection) commands.push(command(service, '--rebuild', projection.name));
    }
    const holds = await Promise.all(
      killed.map(({ service, model, projection }) => hold(services[service], model, projection)),
    );
    const script = resolve(import.meta.dirname, 'run-commands.ts');
    const child = fork(script, { execArgv: ['--import', 'tsx'], serialization: 'advanced', silent: true });
    await once(child, 'message');
    child.send(commands);
    const seen = killed.map(() => new Set<string>());
    await eventually(async () => {
      for (const [nth, one] of holds.entries()) for (const mode of await one.waiting()) seen[nth]?.add(mode);
      expect(seen.map((modes) => [...modes].toSorted())).toEqual(
        killed.map(({ projection }) => [...(projection ? ['AccessExclusiveLock'] : []), 'RowExclusiveLock']),
      );
    });
    child.kill('SIGKILL');
    await once(child, 'exit');
    for (const one of holds) await one.letGo();
    for (const { service, projection } of killed)
      expect(await generationsOf(services[service]), service).toHaveLength(projection ? 2 : 1);

    // What is right afterwards is what was made.
    for (const one of killed) await asOwner(services[one.service], `truncate ${tablesOf(one).join(', ')}`);
    for (const { service, args } of commands) await admin(service, ...args);
    await idle();
    for (const [nth, one] of killed.entries()) {
      expect(await rowsOf(services[one.service], tablesOf(one)), one.service).toEqual(before[nth]);
      expect(await generationsOf(services[one.service])).toEqual([]);
    }
  }, 240_000);
});

/** Its first set-up opens ballots: somebody votes in each, and the older one is decided. */
const company = {
  companyName: 'Acme',
  employeeRange: '1-25',
  brandTraits: ['bold'],
  industry: 'Mills',
  brandColors: ['#112233', '#445566'],
};

async function votedOnNames(head: Visitor, voters: readonly Visitor[]): Promise<void> {
  expect(await head.post('/api/company/setup', company)).toMatchObject({ status: 200 });
  await idle();
  const admin = at('social', head);
  const { body } = await admin.get('/api/ballots');
  const ballots = body as unknown as { id: string; team: { id: string }; names: { name: string }[] }[];
  expect(ballots).toHaveLength(2);
  for (const voter of voters) {
    const teamId = ((await voter.get('/api/me')).body['team'] as { id: string }).id;
    const chosenName = ballots.find(({ team }) => team.id === teamId)?.names[1]?.name;
    expect(await at('social', voter).post('/api/teams/vote', { teamId, chosenName })).toMatchObject({ status: 200 });
  }
  expect(await admin.post(`/api/ballots/${ballots[0]?.id}/close`)).toMatchObject({ status: 200 });
  await idle();
}

/** What can happen to people, logs and organisations. */
async function livedThrough(): Promise<void> {
  const { admin: head, orgId } = await foundOrganisation(identity, { name: 'Zoë Admin' });
  const maya = await joinOrganisation(identity, orgId, { name: 'Maya Okafor' });
  const omar = await joinOrganisation(identity, orgId, { name: 'Ömar 100%' });
  const gone = await joinOrganisation(identity, orgId, { name: 'Erased Person' });
  const { admin: lonely } = await foundOrganisation(identity, { name: 'Closed Person', organizationName: 'Closed' });
  await idle();
  for (const who of [head, maya, omar, gone, lonely]) {
    await log(who, { photoPrompt: who === gone || who === lonely ? 'erased words' : 'kept words', location: 'Lagos' });
    await log(who, { activityType: who === gone || who === lonely ? 'erased activity' : 'Trampoline' });
  }
  await votedOnNames(head, [head, maya, omar, gone]);
  const bonus = await eventually(async () => {
    const { body } = await at('scoring', maya).get('/api/bonus-challenge');
    expect(body).toMatchObject({ id: expect.any(String) });
    return body as { id: string; activityType: string; targetDurationMinutes: number };
  });
  const fitting = {
    bonusChallengeId: bonus.id,
    activityType: bonus.activityType,
    durationMinutes: bonus.targetDurationMinutes,
  };
  await idle();
  await log(maya, fitting);
  const givenBack = await log(omar, fitting);
  const corrected = await log(omar, { photoPrompt: 'first words' });
  const removed = await log(omar, { activityType: 'Juggling', photoPrompt: 'removed words' });
  const own = at('activity', omar);
  await own.call('PATCH', `/api/logs/${corrected}`, { durationMinutes: 45, photoPrompt: 'kept words' });
  for (const id of [removed, givenBack])
    expect(await own.call('DELETE', `/api/logs/${id}`)).toMatchObject({ status: 200 });
  await maya.call('PATCH', '/api/me/profile', { name: 'Maya O.', timeZone: 'Africa/Lagos' });
  await maya.call('PATCH', '/api/me/settings', { privacy: { activityVisible: false } });
  const { body: team } = await head.post('/api/teams', { name: 'Owls', emoji: '🦉' });
  const teamId = (team as { id: string }).id;
  await head.call('PATCH', `/api/members/${claimsOf(maya).sub}`, { teamId });
  await head.call('PATCH', `/api/members/${claimsOf(omar).sub}`, { isActive: false });
  await head.call('PATCH', `/api/teams/${teamId}`, { name: 'Night owls' });
  await head.call('PUT', '/api/company/streaks', { hasFreezes: false });
  const setUp = await head.post('/api/company/setup', { ...company, timeZone: 'Asia/Tokyo' });
  expect(setUp).toMatchObject({ status: 200, body: { comingTimeZone: { timeZone: 'Asia/Tokyo' } } });
  await idle();
  for (const who of [gone, lonely])
    expect(await who.call('DELETE', '/api/me', { password })).toMatchObject({ status: 200 });
}
