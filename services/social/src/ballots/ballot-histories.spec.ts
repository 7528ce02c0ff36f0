import { casesOf } from '@caravan/contracts/testing/full';
import { fold } from '@caravan/event-store/core/decider';
import { Rejected } from '@caravan/kernel/rejected';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ballot, type BallotCommand, type BallotEvent } from './ballot.ts';

const start = Date.parse('2026-06-15T12:00:00.000Z');
const hour = 3_600_000;
const options = [
  ['a', 'b', 'c'],
  ['d', 'e', 'f', 'g'],
  ['a', 'd', 'h', 'i', 'j'],
] as const;

/** What happens, some hours after what happened before. */
type Step = { readonly afterHours: number } & (
  | { readonly does: 'vote'; readonly userId: string; readonly optionId: string | undefined }
  | { readonly does: 'rename'; readonly names: number }
  | { readonly does: 'reschedule'; readonly inHours: number }
  | { readonly does: 'close' | 'sweep' | 'open' }
);

const letters = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', undefined);
const step: fc.Arbitrary<Step> = fc
  .tuple(fc.integer({ min: 0, max: 12 }), fc.integer({ min: 0, max: 11 }))
  .chain(([afterHours, kind]): fc.Arbitrary<Step> => {
    if (kind < 7)
      return fc.record({
        afterHours: fc.constant(afterHours),
        does: fc.constant('vote' as const),
        optionId: letters,
        userId: fc.integer({ min: 1, max: 9 }).map((nth) => `user-${nth}`),
      });
    if (kind === 7)
      return fc.integer({ min: 0, max: 2 }).map((names) => ({ afterHours, does: 'rename' as const, names }));
    if (kind === 8)
      return fc.integer({ min: -5, max: 100 }).map((inHours) => ({ afterHours, does: 'reschedule' as const, inHours }));
    return fc.constant({ afterHours, does: (['sweep', 'close', 'open'] as const)[kind - 9] ?? 'sweep' });
  });

/** A ballot as a teacher keeps it on a blackboard. */
class Blackboard {
  names: readonly string[] = options[0];
  endsAt = start + 48 * hour;
  readonly papers: { userId: string; name: string }[] = [];
  winners: string[] | undefined;

  refuses(one: Step, at: number): string | undefined {
    const isOver = this.winners !== undefined || at >= this.endsAt;
    switch (one.does) {
      case 'vote':
        if (this.papers.some(({ userId }) => userId === one.userId)) return 'ballot/already-voted';
        if (isOver) return 'ballot/closed';
        return one.optionId && this.names.includes(one.optionId) ? undefined : 'ballot/unknown-name';
      case 'rename':
        if (isOver) return 'ballot/closed';
        return this.papers.length > 0 ? 'ballot/has-votes' : undefined;
      case 'reschedule':
        if (isOver) return 'ballot/closed';
        return one.inHours <= 0 && at + one.inHours * hour !== this.endsAt ? 'ballot/bad-end' : undefined;
      case 'close':
        return this.winners ? 'ballot/closed' : undefined;
      case 'sweep':
      case 'open':
        return undefined;
    }
  }

  note(one: Step, at: number): void {
    if (one.does === 'vote' && one.optionId) this.papers.push({ userId: one.userId, name: one.optionId });
    if (one.does === 'rename') this.names = options[one.names] ?? options[0];
    if (one.does === 'reschedule') this.endsAt = at + one.inHours * hour;
    if (one.does === 'close' || (one.does === 'sweep' && at >= this.endsAt)) this.winners ??= this.ranking();
  }

  /** By the count; of equals the one whose last paper came first. */
  private ranking(): string[] {
    const names = [...new Set(this.papers.map(({ name }) => name))];
    const count = (name: string) => this.papers.filter((paper) => paper.name === name).length;
    const last = (name: string) => this.papers.findLastIndex((paper) => paper.name === name);
    return names.toSorted((one, other) => count(other) - count(one) || last(one) - last(other));
  }
}

function commandOf(one: Step, at: number): BallotCommand {
  const nothing = { type: 'EditBallot', optionIds: undefined, endsAt: undefined } as const;
  switch (one.does) {
    case 'vote':
      return { type: 'CastVote', userId: one.userId, optionId: one.optionId };
    case 'rename':
      return { ...nothing, optionIds: options[one.names] };
    case 'reschedule':
      return { ...nothing, endsAt: new Date(at + one.inHours * hour) };
    case 'close':
    case 'sweep':
      return { type: 'EndBallot', isByAdmin: one.does === 'close' };
    case 'open':
      return opening(at);
  }
}

const opening = (at: number): BallotCommand => ({
  type: 'OpenBallot',
  ballotId: 'ballot',
  teamId: 'thunder',
  optionIds: options[0],
  reason: 'admin',
  endsAt: new Date(at + 48 * hour),
  isTeamRetired: false,
  isOtherOpen: false,
});

function decide(events: readonly BallotEvent[], command: BallotCommand, at: number): readonly BallotEvent[] | string {
  try {
    return ballot.decide(command, fold(ballot, events), { by: null, orgId: 'org', at: new Date(at) });
  } catch (error) {
    if (error instanceof Rejected) return error.code;
    throw error;
  }
}

test('[D20 5.22] every history of votes, names, ends and sweeps ends as on a blackboard: one vote each, and the first to reach the most', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 24 }), (steps) => {
      const board = new Blackboard();
      let at = start;
      const events = [...(decide([], opening(at), at) as readonly BallotEvent[])];
      for (const one of steps) {
        at += one.afterHours * hour;
        const refused = board.refuses(one, at);
        const answer = decide(events, commandOf(one, at), at);
        if (refused !== undefined) {
          expect([one, answer]).toEqual([one, refused]);
          continue;
        }
        expect([one, typeof answer]).toEqual([one, 'object']);
        board.note(one, at);
        events.push(...(answer as readonly BallotEvent[]));
      }
      const votes = events.filter(({ type }) => type === 'VoteCast');
      expect(votes.map(({ data }) => data)).toMatchObject(
        board.papers.map(({ userId, name }) => ({ userId, optionId: name })),
      );
      const results = events.flatMap(({ type, data }) => (type === 'BallotDecided' ? [data.ranking] : []));
      expect(results).toEqual(board.winners ? [board.winners] : []);
    }),
    { numRuns: casesOf({ core: 2_000, full: 10_000 }) },
  );
});
