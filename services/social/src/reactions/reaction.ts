import type { ReactionEmoji } from '@caravan/contracts/events/fields';
import type { Decider } from '@caravan/event-store/core/decider';

type Given = { logId: string; userId: string; authorId: string; emoji: ReactionEmoji };

export type ReactionEvent =
  /** `isOwnerOnly`: at a post that nobody but its author may see (D21). */
  | { type: 'ReactionGiven'; data: Given & { givenAt: string; isOwnerOnly?: true } }
  | { type: 'ReactionTakenBack'; data: Given & { takenBackAt: string } };

/** Gives the reaction, or takes it back when it was given. */
export type ToggleReaction = { type: 'ToggleReaction'; isOwnerOnly: boolean } & Readonly<Given>;

/** What one member has given one post. */
export type Reactions = ReadonlySet<ReactionEmoji>;

/** One per member, post and emoji (D19): members never wait for each other's. */
export const reactions: Decider<Reactions, ToggleReaction, ReactionEvent> = {
  category: 'reactions',
  initial: new Set(),

  decide({ logId, userId, authorId, emoji, isOwnerOnly }, state, { at }) {
    const data = { logId, userId, authorId, emoji };
    const instant = at.toISOString();
    return state.has(emoji)
      ? [{ type: 'ReactionTakenBack', data: { ...data, takenBackAt: instant } }]
      : [{ type: 'ReactionGiven', data: { ...data, givenAt: instant, ...(isOwnerOnly && { isOwnerOnly }) } }];
  },

  evolve(state, { type, data: { emoji } }) {
    return type === 'ReactionGiven' ? new Set([...state, emoji]) : new Set([...state].filter((one) => one !== emoji));
  },
};
