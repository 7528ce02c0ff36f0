import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { serviceNames } from '@caravan/contracts/events/topics';
import { testServers } from '@caravan/service-kit/testing/servers';
import { Client } from '@caravan/event-store/postgres/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { passwordVariableOf } from './operate-env.ts';
import { databaseOf, type DatabasePasswords, databaseUrls, prepareDatabases } from '../servers/databases.ts';
import { asUserError } from '../process/terminal.ts';

const { postgresAdmin, kafka } = testServers();
const postgres = { superuser: postgresAdmin };
const passwords: DatabasePasswords = { owner: 'owner', runtime: (service) => service };
const admin = new Client({ connectionString: postgresAdmin });
let identity: Client;

const dropAll = async () => {
  for (const service of serviceNames) await admin.query(`drop database if exists ${databaseOf(service)} with (force)`);
};
/** Everything that a migration could have changed. */
const contents = async () => {
  const { rows: migrations } = await identity.query('select * from _prisma_migrations order by id');
  const { rows: tables } = await identity.query(
    `select c.oid, c.relname from pg_class c where relnamespace = 'public'::regnamespace order by 1`,
  );
  return { migrations, tables };
};

beforeAll(async () => {
  await admin.connect();
  await dropAll();
  await prepareDatabases(postgres, passwords);
  identity = new Client({ connectionString: databaseUrls(postgres, passwords, 'identity').owner });
  await identity.connect();
  await identity.query(`update _prisma_migrations set migration_name = '20260101000000_event_store'
    where migration_name like '%event_store%'`);
});
afterAll(async () => {
  await identity.end();
  await dropAll();
  await admin.end();
});

test('[ADR-0070] the launcher refuses data of an unreleased version, says what to do and changes nothing', async () => {
  const before = await contents();
  const refused = await prepareDatabases(postgres, passwords).then(() => undefined, asUserError);
  expect(`${refused?.message} ${refused?.advice}`).toBe(
    'This data was made by an unreleased version of Caravan and cannot be upgraded. ' +
      'Back it up with `./caravan backup <folder>` under the version that made it, then run `./caravan reset`.',
  );
  expect(await contents()).toEqual(before);
});

test('[ADR-0070] the job that prepares containers ends with an error that says so, and changes nothing', async () => {
  const before = await contents();
  const job = spawn(process.execPath, ['--import', 'tsx', join(import.meta.dirname, 'operate.ts'), 'prepare'], {
    env: {
      ...process.env,
      POSTGRES_ADMIN_URL: postgresAdmin,
      POSTGRES_OWNER_PASSWORD: passwords.owner,
      KAFKA_BROKERS: kafka.join(','),
      ...Object.fromEntries(serviceNames.map((service) => [passwordVariableOf(service), service])),
    },
  });
  const [said, [exitCode]] = await Promise.all([text(job.stderr), once(job, 'close')]);
  expect(exitCode).toBe(1);
  expect(said).toBe(
    'This data was made by an unreleased version of Caravan and cannot be upgraded.\n' +
      'Back it up under the version that made it (docs/operate/backup.md), then begin with empty databases.\n',
  );
  expect(await contents()).toEqual(before);
});
