import { reactionEmojis } from '@caravan/contracts/events/fields';
import { reactionGiven, reactionTakenBack } from '@caravan/contracts/events/social.events';
import { specOf } from '@caravan/event-store/testing/given-when-then';
import { describe, expect, test } from 'vitest';
import { reactionsPublicEvents } from './public-events.ts';
import { reactions } from './reaction.ts';
import type { ReactionEvent } from './reaction.ts';

const at = '2026-06-15T12:00:00.000Z';
const given = specOf(reactions);
const logId = '019a8c10-0000-7000-8000-000000000041';
const userId = '019a8c10-0000-7000-8000-000000000001';
const authorId = '019a8c10-0000-7000-8000-000000000002';
const [strong, love] = reactionEmojis;
const toggle = (emoji: (typeof reactionEmojis)[number]) =>
  ({ type: 'ToggleReaction', logId, userId, authorId, emoji, isOwnerOnly: false }) as const;
const gave = (emoji: (typeof reactionEmojis)[number]) =>
  ({ type: 'ReactionGiven', data: { logId, userId, authorId, emoji, givenAt: at } }) satisfies ReactionEvent;
const tookBack = (emoji: (typeof reactionEmojis)[number]) =>
  ({ type: 'ReactionTakenBack', data: { logId, userId, authorId, emoji, takenBackAt: at } }) satisfies ReactionEvent;

describe('a reaction', () => {
  test.each(reactionEmojis)('[3.40 4.36 9.17 D19] %s is given, taken back, and given again', (emoji) => {
    given().when(toggle(emoji)).then(gave(emoji));
    given(gave(emoji)).when(toggle(emoji)).then(tookBack(emoji));
    given(gave(emoji), tookBack(emoji)).when(toggle(emoji)).then(gave(emoji));
  });

  test('[D19] is one of each emoji: another one leaves it as it is', () => {
    given(gave(strong)).when(toggle(love)).then(gave(love));
    given(gave(strong), gave(love)).when(toggle(strong)).then(tookBack(strong));
    given(gave(strong), gave(love)).when(toggle(love)).then(tookBack(love));
    given(gave(strong), gave(love), tookBack(strong)).when(toggle(love)).then(tookBack(love));
    given(gave(strong), gave(love), tookBack(strong)).when(toggle(strong)).then(gave(strong));
  });

  test('[D19 D21] says that it stands at a post that nobody but its author may see', () => {
    given()
      .when({ ...toggle(strong), isOwnerOnly: true })
      .then({ type: 'ReactionGiven', data: { ...gave(strong).data, isOwnerOnly: true } });
  });

  test('[3.19 D19] leaves as the contract says, in ids', () => {
    const recorded = { eventId: '', streamId: '', version: 1, orgId: '', actorId: null, recordedAt: new Date(at) };
    const { ReactionGiven, ReactionTakenBack } = reactionsPublicEvents;
    if (ReactionGiven === 'private' || ReactionTakenBack === 'private') throw new Error('both are told to others');
    for (const [{ type, version, data }, contract] of [
      [ReactionGiven({ ...recorded, ...gave(strong) }, undefined), reactionGiven],
      [ReactionTakenBack({ ...recorded, ...tookBack(strong) }, undefined), reactionTakenBack],
    ] as const) {
      expect([type, version]).toEqual([contract.type, contract.version]);
      expect(contract.data.parse(data)).toEqual(data);
    }
  });
});

test('[ADR-0001] reactions are found under the category that they were stored under', () => {
  expect(reactions.category).toBe('reactions');
});
