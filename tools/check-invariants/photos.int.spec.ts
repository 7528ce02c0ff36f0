import { resolve } from 'node:path';
import { randomUUID } from '@caravan/contracts/testing/seeded';
import { createObjectStorage } from '@caravan/service-kit/storage/objects';
import { createTestDatabase, dropWithoutLook } from '@caravan/service-kit/testing/database';
import type { TestDatabase } from '@caravan/service-kit/testing/database';
import { testCredential } from '@caravan/service-kit/testing/peer';
import { testServers } from '@caravan/service-kit/testing/servers';
import { Client } from '@caravan/event-store/postgres/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { photosAdrift } from './photos.ts';

dropWithoutLook('its rows are made wrong, to be found');
const root = resolve(import.meta.dirname, '../..');
const objects = createObjectStorage({
  ...testServers().s3,
  isPathStyle: true,
  publicUrl: 'https://caravan.test',
  serviceCredential: testCredential,
});
let activity: TestDatabase;
let client: Client;
beforeAll(async () => {
  const folders = ['libs/event-store/migrations', 'libs/messaging/migrations', 'services/activity/prisma/migrations'];
  activity = await createTestDatabase({ folders: folders.map((folder) => `${root}/${folder}`) });
  client = new Client({ connectionString: activity.url, options: '-c app.org=system' });
  await Promise.all([client.connect(), objects.ensureBucket()]);
});
afterAll(async () => {
  await client.end();
  await activity.drop();
});

const orgId = randomUUID();
const userId = randomUUID();
const put = (...keys: readonly string[]) =>
  Promise.all(keys.map((key) => objects.put(key, Buffer.from('x'), 'image/webp')));
const adrift = async () => (await photosAdrift(activity.url, objects, { orgId })).toSorted();
const keysOf = (photoId: string, ...sizes: number[]) => sizes.map((size) => `photos/${orgId}/${photoId}/${size}.webp`);

async function photo(is: { readonly registered?: true; readonly sized?: true; readonly discarded?: true }) {
  const photoId = randomUUID();
  const at = (has: true | undefined) => (has ? new Date() : null);
  await client.query(
    `insert into photos (org_id, photo_id, user_id, width, height, thumb_hash, created_at, registered_at, sized_at, discarded_at)
      values ($1, $2, $3, 600, 400, 'x', now(), $4, $5, $6)`,
    [orgId, photoId, userId, at(is.registered), at(is.sized), at(is.discarded)],
  );
  return photoId;
}

test('[I11 D29] every object has its owner and every photo its objects: what is under way, or on its way out, is no exception', async () => {
  const uploadId = randomUUID();
  await client.query(
    'insert into uploads (org_id, upload_id, user_id, started_at) values ($1, $2, $3, now()), ($1, gen_random_uuid(), $3, now())',
    [orgId, uploadId, userId],
  );
  await put(`incoming/${orgId}/${userId}/${uploadId}`);
  await put(...keysOf(await photo({}), 1280));
  await put(...keysOf(await photo({ registered: true }), 1280, 64));
  await put(...keysOf(await photo({ registered: true, discarded: true }), 280));
  await put(...keysOf(await photo({ registered: true, sized: true }), 1280, 280, 64));
  expect(await adrift()).toEqual([]);
});

test('[I11 D29] an object without a row is told, and a row without its object', async () => {
  const strange = [...keysOf(randomUUID(), 1280), `incoming/${orgId}/${userId}/${randomUUID()}`];
  await put(...strange);
  const photoId = await photo({ registered: true, sized: true });
  await put(...keysOf(photoId, 64, 280));
  expect(await adrift()).toEqual(
    [
      ...strange.map((key) => `I11 every object has its owner: ${key} has none`),
      ...keysOf(photoId, 1280).map((key) => `I11 every photo has its objects: ${key} is missing`),
    ].toSorted(),
  );
});
