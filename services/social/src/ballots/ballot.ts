import type { Decider, DecisionContext } from '@caravan/event-store/core/decider';
import { Rejected } from '@caravan/kernel/rejected';
import { Invalid } from '@caravan/kernel/problem';

export type BallotEvent =
  | {
      type: 'BallotOpened';
      data: {
        ballotId: string;
        teamId: string;
        optionIds: readonly string[];
        /** What it was opened by. */
        reason: 'set-up' | 'admin';
        openedAt: string;
        endsAt: string;
      };
    }
  | { type: 'NamesReplaced'; data: { ballotId: string; optionIds: readonly string[] } }
  | { type: 'BallotRescheduled'; data: { ballotId: string; teamId: string; endsAt: string } }
  | {
      type: 'VoteCast';
      data: { ballotId: string; teamId: string; userId: string; optionId: string; votedAt: string };
    }
  | {
      type: 'BallotDecided';
      /** Options that got votes, the winner first. */
      data: { ballotId: string; teamId: string; ranking: readonly string[]; decidedAt: string };
    };

export type OpenBallot = {
  type: 'OpenBallot';
  ballotId: string;
  teamId: string;
  optionIds: readonly string[];
  reason: 'set-up' | 'admin';
  endsAt: Date;
  isTeamRetired: boolean;
  /** Whether another ballot of the team is open. */
  isOtherOpen: boolean;
};

export type BallotCommand =
  | OpenBallot
  | { type: 'EditBallot'; optionIds: readonly string[] | undefined; endsAt: Date | undefined }
  /** Without an option somebody chose a name that the ballot does not offer. */
  | { type: 'CastVote'; userId: string; optionId: string | undefined }
  /** Before its time only by an admin. */
  | { type: 'EndBallot'; isByAdmin: boolean };

/** The newest first. */
type Votes = { readonly userId: string; readonly optionId: string; readonly before: Votes } | null;

type OpenedBallot = {
  readonly is: 'open';
  readonly ballotId: string;
  readonly teamId: string;
  readonly optionIds: readonly string[];
  readonly endsAt: Date;
  readonly votes: Votes;
};
export type BallotOfTeam = { readonly is: 'absent' } | OpenedBallot | { readonly is: 'decided'; readonly votes: Votes };

export const usualDays = 7;
const longestDays = 90;
const dayMilliseconds = 86_400_000;

/** When a ballot ends that nobody has given an end. */
export const usualEndOf = (openedAt: Date): Date => new Date(openedAt.getTime() + usualDays * dayMilliseconds);

/** A ballot on the name of a team: each member votes once, the votes are events and the tally is their count (D20). */
export const ballot: Decider<BallotOfTeam, BallotCommand, BallotEvent> = {
  category: 'ballot',
  initial: { is: 'absent' },

  decide(command, state, context) {
    switch (command.type) {
      case 'OpenBallot':
        return state.is === 'absent' ? [decideOpening(command, context)] : [];
      case 'EditBallot':
        return decideEdit(command, running(state, context));
      case 'CastVote':
        return [decideVote(command, state, context)];
      case 'EndBallot':
        return decideEnd(command, state, context);
    }
  },

  evolve(state, { type, data }) {
    if (type === 'BallotOpened') {
      const { ballotId, teamId, optionIds, endsAt } = data;
      return { is: 'open', ballotId, teamId, optionIds, endsAt: new Date(endsAt), votes: null };
    }
    // Stryker disable next-line ConditionalExpression: nothing is recorded of a ballot that is not open.
    if (state.is !== 'open') return state;
    switch (type) {
      case 'NamesReplaced':
        return { ...state, optionIds: data.optionIds };
      case 'BallotRescheduled':
        return { ...state, endsAt: new Date(data.endsAt) };
      case 'VoteCast':
        return { ...state, votes: { userId: data.userId, optionId: data.optionId, before: state.votes } };
      case 'BallotDecided':
        return { is: 'decided', votes: state.votes };
    }
  },
};

function decideOpening(
  { ballotId, teamId, optionIds, reason, endsAt, isTeamRetired, isOtherOpen }: OpenBallot,
  { at }: DecisionContext,
): BallotEvent {
  if (isTeamRetired) throw new Rejected('team/retired', 'conflict', 'A retired team has no ballot');
  if (isOtherOpen) throw new Rejected('ballot/already-open', 'conflict', 'This team has an open ballot already');
  assertEnd(endsAt, at);
  const openedAt = at.toISOString();
  const endsAtText = endsAt.toISOString();
  return { type: 'BallotOpened', data: { ballotId, teamId, optionIds, reason, openedAt, endsAt: endsAtText } };
}

function decideEdit(
  { optionIds, endsAt }: Extract<BallotCommand, { type: 'EditBallot' }>,
  { ballotId, teamId, votes, at, ...state }: OpenedBallot & { at: Date },
): BallotEvent[] {
  const events: BallotEvent[] = [];
  if (optionIds) {
    if (votes) throw new Rejected('ballot/has-votes', 'conflict', 'Somebody has voted: the names stay as they are');
    events.push({ type: 'NamesReplaced', data: { ballotId, optionIds } });
  }
  if (endsAt && endsAt.getTime() !== state.endsAt.getTime()) {
    assertEnd(endsAt, at);
    events.push({ type: 'BallotRescheduled', data: { ballotId, teamId, endsAt: endsAt.toISOString() } });
  }
  return events;
}

function decideVote(
  { userId, optionId }: Extract<BallotCommand, { type: 'CastVote' }>,
  state: BallotOfTeam,
  context: DecisionContext,
): BallotEvent {
  // Stryker disable next-line StringLiteral,ConditionalExpression: nobody has voted in a ballot that is absent.
  if (state.is !== 'absent' && [...each(state.votes)].some((vote) => vote.userId === userId))
    throw new Rejected('ballot/already-voted', 'conflict', 'You can only vote once!');
  const { ballotId, teamId, optionIds, at } = running(state, context);
  // Stryker disable next-line ConditionalExpression: no option is called undefined.
  if (optionId === undefined || !optionIds.includes(optionId))
    throw new Invalid([{ path: 'chosenName', message: 'Choose one of the names' }], 'ballot/unknown-name');
  return { type: 'VoteCast', data: { ballotId, teamId, userId, optionId, votedAt: at.toISOString() } };
}

function decideEnd(
  { isByAdmin }: Extract<BallotCommand, { type: 'EndBallot' }>,
  state: BallotOfTeam,
  { at }: DecisionContext,
): BallotEvent[] {
  if (state.is === 'absent') throw notFound();
  if (state.is === 'decided') {
    if (isByAdmin) throw over();
    return [];
  }
  const { ballotId, teamId, votes, endsAt } = state;
  if (!isByAdmin && at < endsAt) return [];
  return [
    { type: 'BallotDecided', data: { ballotId, teamId, ranking: rankingOf(votes), decidedAt: at.toISOString() } },
  ];
}

/** Most votes first; of equals the one that reached its count first. */
function rankingOf(votes: Votes): string[] {
  const counts = new Map<string, { count: number; reached: number }>();
  let age = 0;
  // Newest first: an option is met first where it reached its count, and who is met later reached it earlier.
  for (const { optionId } of each(votes)) {
    const known = counts.get(optionId);
    counts.set(optionId, { count: (known?.count ?? 0) + 1, reached: known?.reached ?? age });
    age += 1;
  }
  return [...counts]
    .toSorted(([, one], [, other]) => other.count - one.count || other.reached - one.reached)
    .map(([optionId]) => optionId);
}

function* each(votes: Votes): Generator<{ userId: string; optionId: string }> {
  for (let vote = votes; vote; vote = vote.before) yield vote;
}

/** Throws unless votes may still come. */
function running(state: BallotOfTeam, { at }: DecisionContext): OpenedBallot & { at: Date } {
  if (state.is === 'absent') throw notFound();
  if (state.is === 'decided' || at >= state.endsAt) throw over();
  return { ...state, at };
}

function assertEnd(endsAt: Date, at: Date): void {
  if (endsAt <= at) throw badEnd('A ballot ends in the future');
  if (endsAt.getTime() - at.getTime() > longestDays * dayMilliseconds)
    throw badEnd(`A ballot ends within ${longestDays} days`);
}

function badEnd(message: string): Invalid {
  return new Invalid([{ path: 'endsAt', message }], 'ballot/bad-end');
}

export const notFound = () => new Rejected('ballot/not-found', 'not-found', 'There is no such ballot');
const over = () => new Rejected('ballot/closed', 'conflict', 'Voting closed');
