import { fold } from '@caravan/event-store/core/decider';
import { specOf } from '@caravan/event-store/testing/given-when-then';
import { Invalid } from '@caravan/kernel/problem';
import { describe, expect, test } from 'vitest';
import { ballot, usualEndOf, type BallotCommand, type BallotEvent } from './ballot.ts';

const given = specOf(ballot);
const noon = new Date('2026-06-15T12:00:00.000Z');
const nextWeek = new Date('2026-06-22T12:00:00.000Z');
const ids = { ballotId: 'ballot', teamId: 'thunder' };

const open: BallotCommand = {
  type: 'OpenBallot',
  ...ids,
  optionIds: ['a', 'b', 'c'],
  reason: 'admin',
  endsAt: usualEndOf(noon),
  isTeamRetired: false,
  isOtherOpen: false,
};
const openedUntil = (endsAt: Date): BallotEvent => ({
  type: 'BallotOpened',
  data: {
    ...ids,
    optionIds: ['a', 'b', 'c'],
    reason: 'admin',
    openedAt: noon.toISOString(),
    endsAt: endsAt.toISOString(),
  },
});
const opened = openedUntil(nextWeek);
const vote = (userId: string, optionId?: string): BallotCommand => ({ type: 'CastVote', userId, optionId });
const cast = (userId: string, optionId: string): BallotEvent => ({
  type: 'VoteCast',
  data: { ...ids, userId, optionId, votedAt: noon.toISOString() },
});
const edit = (change: { optionIds?: string[]; endsAt?: Date }): BallotCommand => ({
  type: 'EditBallot',
  optionIds: undefined,
  endsAt: undefined,
  ...change,
});
const end = (isByAdmin: boolean): BallotCommand => ({ type: 'EndBallot', isByAdmin });
const decidedEvent = (ranking: string[], at = noon): BallotEvent => ({
  type: 'BallotDecided',
  data: { ...ids, ranking, decidedAt: at.toISOString() },
});

describe('a ballot', () => {
  test('[D20] is open for seven days unless said otherwise; opening it again changes nothing', () => {
    given().when(open).then(opened);
    given(opened)
      .when({ ...open, isOtherOpen: true })
      .thenNothing();
  });

  test('[D20] is not opened beside another one of the team, nor for a retired team', () => {
    given()
      .when({ ...open, isOtherOpen: true })
      .rejects('ballot/already-open', 'conflict');
    given()
      .when({ ...open, isTeamRetired: true })
      .rejects('team/retired', 'conflict');
  });

  test('[D20 D38] ends in the future, within 90 days', () => {
    const days = (count: number) => new Date(noon.getTime() + count * 86_400_000);
    given()
      .when({ ...open, endsAt: noon })
      .rejects('ballot/bad-end', 'invalid');
    given()
      .when({ ...open, endsAt: days(91) })
      .rejects('ballot/bad-end', 'invalid');
    given(opened)
      .when(edit({ endsAt: days(-1) }))
      .rejects('ballot/bad-end', 'invalid');
    given(opened)
      .when(edit({ endsAt: days(90) }))
      .then({ type: 'BallotRescheduled', data: { ...ids, endsAt: days(90).toISOString() } });
    given(opened)
      .when(edit({ endsAt: nextWeek }))
      .thenNothing();
  });

  test('[D20 D38] may end an instant from now and 90 days from now to the instant, and no later', () => {
    const from = (milliseconds: number) => new Date(noon.getTime() + milliseconds);
    const longest = 90 * 86_400_000;
    for (const endsAt of [from(1), from(longest)])
      given()
        .when({ ...open, endsAt })
        .then(openedUntil(endsAt));
    given()
      .when({ ...open, endsAt: from(longest + 1) })
      .rejects('ballot/bad-end', 'invalid');
    given(opened)
      .when(edit({ endsAt: noon }))
      .rejects('ballot/bad-end', 'invalid');
  });

  test('[D20] that was rescheduled takes votes until its new end and is decided then', () => {
    const later = new Date(nextWeek.getTime() + 1);
    const moved: BallotEvent = { type: 'BallotRescheduled', data: { ...ids, endsAt: later.toISOString() } };
    const cast = { ...ids, userId: 'maya', optionId: 'a', votedAt: nextWeek.toISOString() };
    given(opened, moved).when(vote('maya', 'a'), { at: nextWeek }).then({ type: 'VoteCast', data: cast });
    given(opened, moved).when(vote('maya', 'a'), { at: later }).rejects('ballot/closed', 'conflict');
    given(opened, moved).when(end(false), { at: nextWeek }).thenNothing();
    given(opened, moved).when(end(false), { at: later }).then(decidedEvent([], later));
  });

  test('[D20] takes new names and a new end at once, in this order', () => {
    given(opened)
      .when(edit({ optionIds: ['d', 'e', 'f'], endsAt: new Date(noon.getTime() + 1) }))
      .then(
        { type: 'NamesReplaced', data: { ballotId: 'ballot', optionIds: ['d', 'e', 'f'] } },
        { type: 'BallotRescheduled', data: { ...ids, endsAt: '2026-06-15T12:00:00.001Z' } },
      );
    given(opened).when(edit({})).thenNothing();
  });

  test('[D20] that is decided changes no more, whatever is recorded of it', () => {
    const late: BallotEvent = { type: 'BallotRescheduled', data: { ...ids, endsAt: '2027-01-01T00:00:00.000Z' } };
    given(opened, decidedEvent([]), late).when(vote('maya', 'a')).rejects('ballot/closed', 'conflict');
    given().when(edit({})).rejects('ballot/not-found', 'not-found');
    given().when(end(false)).rejects('ballot/not-found', 'not-found');
  });

  test('[D20] has names that can be changed until the first vote', () => {
    const change = edit({ optionIds: ['d', 'e', 'f'] });
    const replaced: BallotEvent = {
      type: 'NamesReplaced',
      data: { ballotId: 'ballot', optionIds: ['d', 'e', 'f'] },
    };
    given(opened).when(change).then(replaced);
    given(opened, replaced).when(vote('maya', 'a')).rejects('ballot/unknown-name', 'invalid');
    given(opened, replaced).when(vote('maya', 'd')).then(cast('maya', 'd'));
    given(opened, cast('maya', 'a')).when(change).rejects('ballot/has-votes', 'conflict');
  });

  test('[5.22 D20] takes one vote of a member, whatever for', () => {
    given(opened).when(vote('maya', 'a')).then(cast('maya', 'a'));
    const voted = given(opened, cast('maya', 'a'), cast('omar', 'b'));
    for (const optionId of ['a', 'b', undefined]) voted.when(vote('maya', optionId)).rejects('ballot/already-voted');
    voted.when(vote('zoe', 'b')).then(cast('zoe', 'b'));
    given(opened, cast('maya', 'a'), decidedEvent(['a']))
      .when(vote('maya', 'a'))
      .rejects('ballot/already-voted', 'conflict');
  });

  test('[D38] names the field that a refusal is about', () => {
    const fieldsOf = (command: BallotCommand, ...events: readonly BallotEvent[]) => {
      try {
        return ballot.decide(command, fold(ballot, events), { by: null, orgId: 'org', at: noon });
      } catch (error) {
        return error instanceof Invalid ? error.errors.map(({ path }) => path) : error;
      }
    };
    expect(fieldsOf(vote('maya', 'x'), opened)).toEqual(['chosenName']);
    expect(fieldsOf({ ...open, endsAt: noon })).toEqual(['endsAt']);
    expect(fieldsOf(edit({ endsAt: noon }), opened)).toEqual(['endsAt']);
  });

  test('[5.20 D20] takes no vote for a name that it does not offer', () => {
    given(opened).when(vote('maya')).rejects('ballot/unknown-name', 'invalid');
    given(opened).when(vote('maya', 'x')).rejects('ballot/unknown-name', 'invalid');
    given().when(vote('maya', 'a')).rejects('ballot/not-found', 'not-found');
  });

  test('[4.35 D20] takes nothing more once its time is over, counted or not', () => {
    const late = { at: nextWeek };
    given(opened).when(vote('maya', 'a'), late).rejects('ballot/closed', 'conflict');
    given(opened)
      .when(edit({ optionIds: ['d', 'e', 'f'] }), late)
      .rejects('ballot/closed', 'conflict');
    given(opened, decidedEvent([])).when(vote('maya', 'a')).rejects('ballot/closed', 'conflict');
    given(opened, decidedEvent([])).when(end(true)).rejects('ballot/closed', 'conflict');
  });

  test('[D20] is decided when its time is over, or when an admin closes it, once', () => {
    const votes = [cast('maya', 'b'), cast('omar', 'a'), cast('zoe', 'b')];
    given(opened, ...votes)
      .when(end(false))
      .thenNothing();
    given(opened, ...votes)
      .when(end(true))
      .then(decidedEvent(['b', 'a']));
    given(opened, ...votes)
      .when(end(false), { at: nextWeek })
      .then(decidedEvent(['b', 'a'], nextWeek));
    given(opened, ...votes, decidedEvent(['b', 'a']))
      .when(end(false))
      .thenNothing();
    given().when(end(true)).rejects('ballot/not-found', 'not-found');
  });

  test('[D20] is won by the name that reached the count first, of several with the same count', () => {
    given(opened, cast('1', 'c'), cast('2', 'a'), cast('3', 'b'), cast('4', 'b'), cast('5', 'a'))
      .when(end(true))
      .then(decidedEvent(['b', 'a', 'c']));
    given(opened).when(end(true)).then(decidedEvent([]));
  });
});

test('[ADR-0001] ballots are found under the category that they were stored under', () => {
  expect(ballot.category).toBe('ballot');
});
