import type { ReactionEmoji } from '@caravan/contracts/events/fields';
import type { EngagementRequest } from '@caravan/contracts/http/recaps';

/** To the newest post of somebody: whose by first name, with what, and by whom. */
export const demoReactions: readonly (readonly [to: string, emoji: ReactionEmoji, by: readonly string[]])[] = [
  ['Maya', '💪', ['Lena', 'Priya', 'Tomás', 'Alex']],
  ['Maya', '❤️', ['Lena']],
  ['Maya', '🙌', ['Yuki', 'Priya']],
  ['Lena', '🙌', ['Maya', 'Yuki']],
  ['Lena', '❤️', ['Priya']],
  ['Priya', '💪', ['Maya', 'Tomás', 'Alex']],
];

/** Below the newest post of somebody: whose by first name, by whom, and what; mentions by first name, too. */
export type DemoComment = {
  readonly below: string;
  readonly by: string;
  readonly text: string;
  readonly mentions?: readonly string[];
};

export const demoComments: readonly DemoComment[] = [
  { below: 'Maya', by: 'Lena', text: 'Up before the sun again! 🌅' },
  { below: 'Maya', by: 'Priya', text: 'I’ll join you on Thursday, same place?' },
  {
    below: 'Maya',
    by: 'Maya',
    text: 'Gladly. @Priya Raman at six, @Lena Fischer brings tea.',
    mentions: ['Priya', 'Lena'],
  },
  { below: 'Lena', by: 'Yuki', text: 'Once round the lake in this weather. Respect.' },
  { below: 'Priya', by: 'Tomás', text: 'That is a longer way than mine by bike 😅' },
  { below: 'Priya', by: 'Alex', text: 'Thunder will have to hurry now.' },
];

/** With the recap of last week: by whom, by first name, and what. */
export const demoEngagement: readonly (readonly [by: string, said: EngagementRequest])[] = [
  ['Lena', { reactionEmoji: '💪', vibeEmoji: '🤩', feedbackText: 'Best week so far. Same again!' }],
  ['Priya', { reactionEmoji: '🙌', vibeEmoji: '😊' }],
  ['Tomás', { reactionEmoji: '❤️', vibeEmoji: '😴' }],
  ['Yuki', { reactionEmoji: '💪', vibeEmoji: '😌' }],
  ['Alex', { reactionEmoji: '💪' }],
];
