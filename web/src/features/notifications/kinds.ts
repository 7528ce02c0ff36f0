import type { NotificationKind } from '@caravan/contracts/domain/notification-kinds';
import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import {
  AtSign,
  Award,
  BookOpen,
  CloudOff,
  Download,
  Flag,
  Flame,
  Gauge,
  Hourglass,
  type LucideIcon,
  MessageCircle,
  PartyPopper,
  Sparkles,
  Target,
  ThumbsUp,
  TrendingDown,
  Undo2,
  Upload,
  UserRoundCheck,
  UserRoundPlus,
  UsersRound,
  Vote,
} from 'lucide-react';

/** people: somebody turned to the reader; good: something is reached; alert: something is at stake. */
type Tone = 'people' | 'good' | 'alert' | 'plain';
export type Kind = {
  readonly name: MessageDescriptor;
  readonly hint: MessageDescriptor;
  readonly icon: LucideIcon;
  readonly tone: Tone;
};

const kind = (icon: LucideIcon, tone: Tone, name: MessageDescriptor, hint: MessageDescriptor): Kind => {
  return { icon, tone, name, hint };
};

export const kinds: Readonly<Record<NotificationKind, Kind>> = {
  reaction: kind(ThumbsUp, 'people', msg`Cheers`, msg`When somebody reacts to what you logged.`),
  comment: kind(MessageCircle, 'people', msg`Comments`, msg`When somebody writes below what you logged.`),
  mention: kind(AtSign, 'people', msg`Mentions`, msg`When somebody names you in a comment.`),
  follower: kind(UserRoundPlus, 'people', msg`New followers`, msg`When a colleague begins to follow you.`),
  badge: kind(Award, 'good', msg`Badges`, msg`When you earn one.`),
  checkpoint: kind(Flag, 'good', msg`Checkpoints`, msg`When a team reaches a stop of the journey.`),
  'challenge-reached': kind(Target, 'good', msg`Challenges reached`, msg`When bonus miles wait to be claimed.`),
  'goal-near': kind(Gauge, 'plain', msg`Weekly goal in sight`, msg`On Fridays, when little is missing.`),
  'challenge-ending': kind(Hourglass, 'alert', msg`Challenges ending`, msg`On the last day of one you have begun.`),
  'bonus-opened': kind(Sparkles, 'plain', msg`Bonus challenges`, msg`When miles count more for a while.`),
  'ballot-opened': kind(Vote, 'plain', msg`Votes opened`, msg`When your team looks for a name.`),
  'ballot-ending': kind(Hourglass, 'alert', msg`Votes ending`, msg`A day before, when you have not voted.`),
  'ballot-decided': kind(PartyPopper, 'good', msg`Votes decided`, msg`When your team has a new name.`),
  'rank-lost': kind(TrendingDown, 'alert', msg`Rank lost`, msg`When a neighbour on the scoreboard passes you.`),
  'streak-at-risk': kind(Flame, 'alert', msg`Streak at risk`, msg`In the evening, when nothing is logged yet.`),
  'team-changed': kind(UsersRound, 'plain', msg`Your team`, msg`When you move to another team.`),
  'invite-used': kind(UserRoundCheck, 'people', msg`Invites used`, msg`When somebody joins by an invite.`),
  'recap-ready': kind(BookOpen, 'plain', msg`Weekly recap`, msg`On Mondays: the story of the week.`),
  'export-ready': kind(Download, 'plain', msg`Export ready`, msg`When your data can be downloaded.`),
  'import-ready': kind(
    Upload,
    'plain',
    msg`Import ready`,
    msg`When a platform you connected has brought your workouts.`,
  ),
  'sync-failed': kind(CloudOff, 'alert', msg`Sync failed`, msg`When a platform you connected cannot be read any more.`),
  'imports-gone': kind(
    Undo2,
    'plain',
    msg`Imports taken back`,
    msg`When workouts are gone at a platform, with what they earned.`,
  ),
};

type Group = { readonly title: MessageDescriptor; readonly kinds: readonly NotificationKind[] };

/** As the switches stand. */
export const groups: readonly Group[] = [
  { title: msg`From people`, kinds: ['reaction', 'comment', 'mention', 'follower'] },
  {
    title: msg`Your own way`,
    kinds: [
      'streak-at-risk',
      'goal-near',
      'badge',
      'challenge-reached',
      'challenge-ending',
      'bonus-opened',
      'rank-lost',
    ],
  },
  {
    title: msg`Your team`,
    kinds: ['checkpoint', 'recap-ready', 'ballot-opened', 'ballot-ending', 'ballot-decided', 'team-changed'],
  },
  {
    title: msg`Account and devices`,
    kinds: ['invite-used', 'export-ready', 'import-ready', 'sync-failed', 'imports-gone'],
  },
];

/** What only admins are told of. */
export const adminKinds: ReadonlySet<NotificationKind> = new Set(['invite-used']);
