import { avatarChoicePath } from '@caravan/contracts/http/photos';
import { myDataSchema } from '@caravan/contracts/http/my-data';
import { eventually } from '@caravan/event-store/testing/eventually';
import type { ApiClient } from '@caravan/service-kit/testing/api-client';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startActivity } from '../testing/activity-under-test.ts';
import type { ActivityUnderTest, Joining } from '../testing/activity-under-test.ts';
import { photoOf, photosOf } from '../testing/photos-under-test.ts';
import { CleanUpPhotos } from './clean-up.job.ts';
import { waits } from './photo.ts';

const erasedAt = '2026-11-20T12:00:00.000Z';
const closedAt = '2026-11-20T12:00:00.000Z';
let activity: ActivityUnderTest;
let maya: Joining;
let api: ApiClient;
let photos: ReturnType<typeof photosOf>;
const walk = { activityType: 'Walking', durationMinutes: 30 };

beforeAll(async () => {
  activity = await startActivity();
});
afterAll(() => activity.close());
beforeEach(async () => {
  maya = await activity.join();
  api = await activity.as(maya);
  photos = photosOf(activity, api);
});

const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1_000);
const cleanUp = (seconds = 0) => activity.app.get<CleanUpPhotos>(CleanUpPhotos).cleanUpAt(inSeconds(seconds));
const objects = async () => [
  ...(await photos.keysBelow(`incoming/${maya.orgId}/`)),
  ...(await photos.keysBelow(`photos/${maya.orgId}/`)),
];
const rows = async () => [
  ...(await activity.rows(maya.orgId, 'select upload_id from uploads where org_id = $1')),
  ...(await activity.rows(maya.orgId, 'select photo_id from photos where org_id = $1')),
];
const photoIdIn = (objectPath: string) => objectPath.split('/').at(-1) ?? '';
/** All sizes, so that no job puts any later. */
const wholePhoto = async () => {
  const { objectPath } = await photos.photo();
  const photoId = photoIdIn(objectPath);
  await eventually(async () => expect(await sizedOf(photoId)).toEqual([{ isSized: true }]));
  return { objectPath, photoId };
};
const sizedOf = (photoId: string) =>
  activity.rows(
    maya.orgId,
    'select sized_at is not null as is_sized from photos where org_id = $1 and photo_id = $2',
    photoId,
  );
describe('the clean-up of photos', () => {
  test('[D29 I11] leaves what is used or young, and what belongs to a log for ever', async () => {
    const { objectPath } = await wholePhoto();
    await api.post('/api/log', { ...walk, photoPath: objectPath });
    const before = await objects();
    expect(before).toHaveLength(4);
    await photos.send(photoOf());
    await cleanUp(waits.unused - 60);
    expect(await objects()).toHaveLength(5);
    await cleanUp(waits.unused * 400);
    expect(await objects()).toEqual(before);
  });

  test('[D29 I11] takes uploads and photos that nobody has used for a day: objects at once, rows when nobody can put any more', async () => {
    await photos.send(photoOf());
    await photos.start();
    await wholePhoto();
    await cleanUp(waits.unused + 60);
    expect(await objects()).toEqual([]);
    expect(await rows()).not.toEqual([]);
    await cleanUp(waits.unused + waits.discarded + 120);
    expect(await rows()).toEqual([]);
  });

  test('[D29 D38] leaves a log that was kept for longer than its photo: refused by name, then logged once without it', async () => {
    const { objectPath } = await wholePhoto();
    await cleanUp(waits.unused + 60);
    const log = { ...walk, photoPrompt: 'Round the lake' };
    const key = { 'Idempotency-Key': `timer-${photoIdIn(objectPath)}` };
    const kept = await api.post('/api/log', { ...log, photoPath: objectPath }, key);
    expect(kept).toMatchObject({ status: 404, body: { code: 'photo/not-found' } });
    const answers = [await api.post('/api/log', log, key), await api.post('/api/log', log, key)];
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(answers[1]?.body).toEqual(answers[0]?.body);
    const logs = (await api.get<{ caption: string; photoPath: string | null }[]>('/api/logs')).body;
    expect(logs).toMatchObject([{ caption: 'Round the lake', photoPath: null, durationMinutes: 30 }]);
  });

  test('[D8 D29] takes the photo of a log that is removed, which is gone for its readers at once', async () => {
    const { objectPath } = await wholePhoto();
    const { id } = (await api.post<{ id: string }>('/api/log', { ...walk, photoPath: objectPath })).body;
    const [log] = (await api.get<{ photoUrl: string }[]>('/api/logs')).body;
    expect((await photos.see(log?.photoUrl ?? '')).status).toBe(200);
    await api.delete(`/api/logs/${id}`);
    expect((await photos.see(log?.photoUrl ?? '')).status).toBe(404);
    await cleanUp();
    expect(await objects()).toEqual([]);
  });

  test('[D29 D53] takes the picture of somebody once another one is shown, or none, or it never was', async () => {
    const choose = async (photo: { objectPath: string }) =>
      expect((await activity.nobody.post(avatarChoicePath, { ...maya, ...photo })).status).toBe(204);
    const show = async (objectPath: string | null) => {
      await activity.tell(maya.orgId, {
        type: 'ProfileEdited',
        data: { userId: maya.userId, name: 'Maya', timeZone: 'UTC', profilePhotoUrl: objectPath },
      });
      const photoId = objectPath?.split('/').at(-1) ?? null;
      const shown = 'select photo_id from members where org_id = $1';
      await eventually(async () => expect(await activity.rows(maya.orgId, shown)).toEqual([{ photoId }]));
      await cleanUp();
    };
    const keptPhotos = async () => new Set((await objects()).map((key) => key.split('/')[2]));
    const first = await wholePhoto();
    await choose(first);
    await show(first.objectPath);
    const second = await wholePhoto();
    await choose(second);
    expect(await keptPhotos()).toEqual(new Set([first.photoId, second.photoId]));
    await show(second.objectPath);
    expect(await keptPhotos()).toEqual(new Set([second.photoId]));
    await cleanUp(waits.chosen * 2);
    expect(await keptPhotos()).toEqual(new Set([second.photoId]));
    await show(null);
    expect(await keptPhotos()).toEqual(new Set());
    const third = await wholePhoto();
    await choose(third);
    await cleanUp(waits.chosen - 60);
    expect(await keptPhotos()).toEqual(new Set([third.photoId]));
    await cleanUp(waits.chosen + 60);
    expect(await keptPhotos()).toEqual(new Set());
  });
});

describe('what is held of a member', () => {
  test('[S35 D29] has the pictures in its export', async () => {
    const { objectPath, photoId } = await wholePhoto();
    const { body } = await api.get('/internal/my-data');
    const { files, pictures } = myDataSchema.parse(body);
    expect(files['photos']).toMatchObject([{ photoId, file: `pictures/${photoId}.webp`, width: 1280, height: 960 }]);
    const key = `photos/${maya.orgId}/${photoId}/1280.webp`;
    expect(pictures).toEqual([{ name: `pictures/${photoId}.webp`, key }]);
    expect(objectPath).toContain(photoId);
  });

  test.each([
    ['is erased', 'MemberErased', () => ({ userId: maya.userId, teamId: maya.teamId, wasActive: true })],
    ['was in an organisation that closes', 'OrganisationClosed', () => ({})],
  ])('[D29 I12] is without photos and files once somebody %s, also when it is told twice', async (_, type, data) => {
    const used = await wholePhoto();
    await api.post('/api/log', { ...walk, photoPath: used.objectPath });
    const { objectPath, previewUrl } = await photos.photo({ alt: 'A secret' });
    await photos.send(photoOf());
    expect((await photos.see(previewUrl)).status).toBe(200);
    await activity.tell(maya.orgId, { type, data: { ...data(), erasedAt, closedAt } });
    await eventually(async () => expect((await photos.see(previewUrl)).status).toBe(404));
    const texts = 'select alt from photos where org_id = $1 and (alt is not null or log_id is not null)';
    expect([objectPath !== '', await activity.rows(maya.orgId, texts)]).toEqual([true, []]);
    await eventually(async () => {
      await cleanUp();
      expect(await objects()).toEqual([]);
    });
    await cleanUp(waits.discarded + 60);
    expect([await objects(), await rows()]).toEqual([[], []]);
  });
});
