import { eventually } from '@caravan/event-store/testing/eventually';
import { signedPhoto } from '@caravan/service-kit/testing/signed-photo';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { memberErased, privacyChosen, startSocial } from '../testing/social-under-test.ts';
import type { SocialUnderTest } from '../testing/social-under-test.ts';
import { livedWeek, picturedIn } from '../testing/told-weeks.ts';

let social: SocialUnderTest;
beforeAll(async () => {
  social = await startSocial();
});
afterAll(() => social.close());

const wednesday = '2026-11-18T09:00:00.000Z';
const afterwards = '2026-11-23T09:00:00.000Z';

/** A week in which Maya, who wants it, and Omar, who has said nothing of it, showed photos; told twice. */
async function picturedWeek() {
  const week = await livedWeek(social);
  const photo = picturedIn(week.maya, wednesday);
  const others = [picturedIn(week.omar, wednesday), picturedIn(week.maya, afterwards)];
  const own = picturedIn(week.maya, wednesday);
  const kept = { ...own, data: { ...own.data, audience: 'owner' as const } };
  await social.activity.redeliver(...(await social.activity.publish(photo, ...others, kept)));
  await eventually(async () =>
    expect(await week.rows('select from posts where org_id = $1 and photo_path is not null')).toHaveLength(4),
  );
  const readFeatured = async (headers = week.header) => {
    const { featuredPhotoUrl, featuredPhoto } = await week.recapOf(week.omar, headers);
    return { path: signedPhoto(featuredPhotoUrl)?.objectPath, featuredPhotoUrl, featuredPhoto };
  };
  return { ...week, photo, readFeatured };
}

describe('the photo of the week', () => {
  test('[3.16 D28] is one whose author wants it, of that week, signed for the organisation, with whose it is', async () => {
    const week = await picturedWeek();
    await week.build();
    const { featuredPhotoUrl, featuredPhoto } = await week.readFeatured();
    const { photoPath, photo, logId } = week.photo.data;
    expect(signedPhoto(featuredPhotoUrl)).toEqual({ objectPath: photoPath, size: 640, orgId: week.orgId });
    expect(featuredPhoto).toMatchObject({ photo, logId, user: { name: 'Maya', profileId: week.maya.userId } });
  });

  test('[D28] is the one that was cheered most', async () => {
    const week = await picturedWeek();
    const cheered = picturedIn(week.maya, '2026-11-17T09:00:00.000Z');
    await social.activity.publish(cheered, cheered);
    await eventually(async () => {
      const body = { movementLogId: cheered.data.logId, emoji: '💪' };
      expect((await (await social.as(week.omar)).post('/api/feed/react', body)).status).toBe(200);
    });
    await week.build();
    expect((await week.readFeatured()).path).toBe(cheered.data.photoPath);
  });

  test.each([
    ['does not want it', { featuredInRecaps: false }],
    ['hides activity', { featuredInRecaps: true, activityVisible: false }],
    ['hides the profile', { featuredInRecaps: true, profileVisible: false }],
  ])('[D18 D28] is nobody’s who %s, whether chosen before or after', async (_, choice) => {
    for (const isBefore of [true, false]) {
      const week = await picturedWeek();
      if (!isBefore) await week.build();
      const header = await social.tell(week.orgId, privacyChosen(week.maya, choice));
      await (await social.as(week.omar)).get('/api/recaps', header);
      if (isBefore) await week.build();
      expect(await week.readFeatured(header)).toEqual({ path: undefined, featuredPhotoUrl: null, featuredPhoto: null });
    }
  });

  test('[D8 D32] is gone with the photo, the post and its author', async () => {
    const week = await picturedWeek();
    await week.build();
    const { data, ...about } = week.photo;
    const { durationMinutes, centimiles, loggedOn } = data;
    const previous = { durationMinutes, centimiles, loggedOn };
    const changes = { photoPath: null, photo: null, revision: 2, correctedAt: afterwards, previous };
    await social.activity.publish({ ...about, type: 'MovementCorrected', data: { ...data, ...changes } });
    await eventually(async () => expect((await week.readFeatured()).featuredPhoto).toBeNull());
    const again = { ...data, revision: 3, correctedAt: afterwards, previous };
    await social.activity.publish({ ...about, type: 'MovementCorrected', data: again });
    await eventually(async () => expect((await week.readFeatured()).path).toBe(data.photoPath));
    const header = await social.tell(week.orgId, memberErased(week.maya));
    expect((await week.readFeatured(header)).featuredPhoto).toBeNull();
  });
});
