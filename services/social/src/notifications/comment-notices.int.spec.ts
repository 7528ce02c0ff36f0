import { notificationsSchema } from '@caravan/contracts/http/notifications';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { walkWithComments } from '../testing/commented-walk.ts';
import { type SocialUnderTest, startSocial, type TestMember } from '../testing/social-under-test.ts';

let social: SocialUnderTest;
beforeAll(async () => {
  social = await startSocial();
});
afterAll(() => social.close());

async function textsOf(member: TestMember): Promise<string[]> {
  const { body } = await (await social.as(member)).get('/api/notifications');
  return notificationsSchema
    .parse(body)
    .map(({ text }) => text)
    .toSorted();
}

describe('a notice', () => {
  test('[D34 D50] of a comment is one for the post’s owner, whatever mentions an edit adds or removes', async () => {
    const walk = await walkWithComments(social);
    const { maya, omar, lena } = walk;
    const asComment = 'Omar Haddad commented on your walk';
    const asMention = 'Omar Haddad mentioned you in a comment';
    const none = ['Well done', {}] as const;
    const both = ['@Maya Okafor and @Lena Fischer', { mentions: [maya.userId, lena.userId] }] as const;
    const { body } = await walk.write(omar, ...none);
    await expect.poll(() => textsOf(maya)).toEqual([asComment]);
    await walk.edit(omar, body.id, ...both);
    await expect.poll(() => textsOf(maya)).toEqual([asMention]);
    await walk.edit(omar, body.id, ...none);
    await expect.poll(() => textsOf(maya)).toEqual([asComment]);
    // Edits that are told in one batch count as the last one left it.
    for (const [text, more] of [both, none, both]) await walk.edit(omar, body.id, text, more);
    await expect.poll(() => textsOf(lena)).toEqual([asMention]);
    await expect.poll(() => textsOf(maya)).toEqual([asMention]);
    await (await social.as(omar)).delete(`/api/feed/comments/${body.id}`);
    await expect.poll(() => textsOf(maya)).toEqual([]);
  });

  test('[D34 D50] of a comment that mentions the post’s owner stays one when the mention is removed', async () => {
    const walk = await walkWithComments(social);
    const { maya, omar } = walk;
    const { body } = await walk.write(omar, 'Look, @Maya Okafor', { mentions: [maya.userId] });
    await expect.poll(() => textsOf(maya)).toEqual(['Omar Haddad mentioned you in a comment']);
    await walk.edit(omar, body.id, 'Look');
    await expect.poll(() => textsOf(maya)).toEqual(['Omar Haddad commented on your walk']);
  });
});
