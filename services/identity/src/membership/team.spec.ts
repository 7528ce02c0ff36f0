import { specOf } from '@caravan/event-store/testing/given-when-then';
import { Invalid } from '@caravan/kernel/problem';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type ChangeTeam, firstTeams, smallestOf, team, type TeamCommand, type TeamEvent } from './team.ts';

const at = new Date('2026-11-16T08:01:00.000Z');
const thunder = { teamId: '019a8c10-0000-7000-8000-000000000021' };

describe('the smallest team', () => {
  const strengths = fc.uniqueArray(
    fc.record({ teamId: fc.uuid(), activeMembers: fc.nat(50), formedAt: fc.date({ noInvalidDate: true }) }),
    { minLength: 1, maxLength: 8, selector: ({ teamId }) => teamId },
  );

  test('[D2] does not depend on the order in which teams are listed', () => {
    fc.assert(
      fc.property(strengths, fc.infiniteStream(fc.nat()), (teams, chances) => {
        const shuffled = teams.toSorted(() => (Number(chances.next().value) % 3) - 1);
        expect(smallestOf(shuffled)).toEqual(smallestOf(teams));
      }),
    );
  });

  test('[D2] keeps teams balanced: however many join, no two that started equal differ by more than one', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 8 }), fc.nat(200), (teamCount, joining) => {
        const teams = Array.from({ length: teamCount }, (_, nth) => ({
          teamId: `team-${nth}`,
          activeMembers: 0,
          formedAt: new Date(nth),
        }));
        for (let person = 0; person < joining; person += 1) {
          const smallest = smallestOf(teams);
          const chosen = teams.find(({ teamId }) => teamId === smallest?.teamId);
          if (chosen) chosen.activeMembers += 1;
        }
        const members = teams.map(({ activeMembers }) => activeMembers);
        expect(Math.max(...members) - Math.min(...members)).toBeLessThanOrEqual(1);
        expect(members.reduce((sum, count) => sum + count, 0)).toBe(joining);
      }),
    );
  });

  test('[D2] is always the same one of two that were formed at one instant', () => {
    const [one, other] = ['a', 'b'].map((teamId) => ({ teamId, activeMembers: 1, formedAt: at }));
    if (!one || !other) throw new Error('two teams');
    expect([smallestOf([one, other]), smallestOf([other, one])]).toEqual([one, one]);
  });

  test('[D2] is never larger than another, nor as large and younger', () => {
    fc.assert(
      fc.property(strengths, (teams) => {
        const smallest = smallestOf(teams);
        for (const other of teams) {
          expect(other.activeMembers).toBeGreaterThanOrEqual(smallest?.activeMembers ?? 0);
          if (other.activeMembers === smallest?.activeMembers) expect(other.formedAt >= smallest.formedAt).toBe(true);
        }
      }),
    );
  });
});

describe('a team', () => {
  const { teamId } = thunder;
  const form = { type: 'FormTeam', teamId, isNameTaken: false } as const;
  const formed = { type: 'TeamFormed', data: { teamId, formedAt: at.toISOString() } } as const;
  const renamed = { type: 'TeamRenamed', data: { teamId } } as const;
  const retired = { type: 'TeamRetired', data: { teamId } } as const;
  const reopened = { type: 'TeamReopened', data: { teamId } } as const;
  const change = (wish: Partial<ChangeTeam>): ChangeTeam => ({
    type: 'ChangeTeam',
    teamId,
    isRenamed: false,
    isRetired: undefined,
    isNameTaken: false,
    activeMembers: 0,
    otherOpenTeams: 1,
    ...wish,
  });
  const given = specOf(team, { at });

  test('[D2] is formed once, under a name of its own', () => {
    given().when(form).then(formed);
    given(formed).when(form).thenNothing();
    given()
      .when({ ...form, isNameTaken: true })
      .rejects('team/name-taken', 'invalid');
  });

  test('[D2] is renamed, not after another open one', () => {
    given(formed)
      .when(change({ isRenamed: true }))
      .then(renamed);
    given(formed).when(change({})).thenNothing();
    given(formed)
      .when(change({ isRenamed: true, isNameTaken: true }))
      .rejects('team/name-taken', 'invalid');
  });

  test('[D2] is retired when nobody is left in it, once', () => {
    given(formed)
      .when(change({ isRetired: true }))
      .then(retired);
    given(formed, retired)
      .when(change({ isRetired: true, activeMembers: 5 }))
      .thenNothing();
  });

  test('[D2] is not retired while it has members, nor as the last one', () => {
    const refuse = (wish: Partial<ChangeTeam>) => () => team.decide(change(wish), { is: 'open' }, context);
    const context = { by: null, orgId: teamId, at };
    expect(refuse({ isRetired: true, activeMembers: 5 })).toThrow('Move its 5 members to another team first');
    expect(refuse({ isRetired: true, activeMembers: 1 })).toThrow('Move its 1 member to another team first');
    expect(refuse({ isRetired: true, otherOpenTeams: 0 })).toThrow('The last team cannot be retired');
    given(formed)
      .when(change({ isRetired: true, activeMembers: 5 }))
      .rejects('team/has-members', 'invalid');
    given(formed)
      .when(change({ isRetired: true, otherOpenTeams: 0 }))
      .rejects('team/last-one', 'invalid');
  });

  test('[D38] names the field that a refusal is about', () => {
    const fieldOf = (wish: Partial<ChangeTeam>) => {
      try {
        return team.decide(change(wish), { is: 'open' }, { by: null, orgId: teamId, at });
      } catch (error) {
        return error instanceof Invalid ? error.errors.map(({ path }) => path) : error;
      }
    };
    expect(fieldOf({ isRenamed: true, isNameTaken: true })).toEqual(['name']);
    expect(fieldOf({ isRetired: true, activeMembers: 1 })).toEqual(['retired']);
    expect(fieldOf({ isRetired: true, otherOpenTeams: 0 })).toEqual(['retired']);
  });

  test('[D2] that keeps its name is not refused for it', () => {
    given(formed)
      .when(change({ isNameTaken: true }))
      .thenNothing();
  });

  test('[D2] is reopened, not beside another of its name', () => {
    given(formed, retired)
      .when(change({ isRetired: false }))
      .then(reopened);
    given(formed)
      .when(change({ isRetired: false }))
      .thenNothing();
    given(formed, retired)
      .when(change({ isRetired: false, isNameTaken: true }))
      .rejects('team/name-taken', 'invalid');
    given(formed, retired)
      .when(change({ isRenamed: true, isRetired: false }))
      .then(renamed, reopened);
  });

  test('[D2] may be called like another while it is retired', () => {
    given(formed, retired)
      .when(change({ isRenamed: true, isNameTaken: true }))
      .then(renamed);
    given(formed, retired, renamed)
      .when(change({ isRetired: true }))
      .thenNothing();
  });

  test('[D4] that was never formed does not exist', () => {
    given()
      .when(change({ isRenamed: true }))
      .rejects('team/not-found', 'not-found');
  });

  test('[D2] that was reopened can be retired again', () => {
    given(formed, retired, reopened)
      .when(change({ isRetired: true }))
      .then(retired);
  });

  test('[D43] is dissolved once, open or retired, and takes part in nothing more', () => {
    const dissolve = { type: 'DissolveTeam', teamId } as const;
    const dissolved = { type: 'TeamDissolved', data: { teamId } } as const;
    given(formed).when(dissolve).then(dissolved);
    given(formed, retired).when(dissolve).then(dissolved);
    given().when(dissolve).thenNothing();
    const over = given(formed, dissolved);
    over.when(dissolve).thenNothing();
    over.when(form).thenNothing();
    over.when(change({ isRenamed: true })).rejects('team/not-found', 'not-found');
    over.when({ type: 'NameByBallot', teamId, ballotId: 'ballot', place: 1, isRenamed: true }).thenNothing();
  });

  test('[D20] is named by a ballot, once, and keeps its name where none is free', () => {
    const byBallot = (changes: object = {}): TeamCommand => ({
      type: 'NameByBallot',
      teamId,
      ballotId: 'ballot',
      place: 1,
      isRenamed: true,
      ...changes,
    });
    const namedEvent = (place: number | null): TeamEvent => ({
      type: 'TeamNamedByBallot',
      data: { teamId, ballotId: 'ballot', place },
    });
    given(formed).when(byBallot()).then(renamed, namedEvent(1));
    given(formed, retired).when(byBallot()).then(renamed, namedEvent(1));
    given(formed)
      .when(byBallot({ isRenamed: false }))
      .then(namedEvent(1));
    given(formed)
      .when(byBallot({ place: null, isRenamed: false }))
      .then(namedEvent(null));
    given(formed)
      .when(byBallot({ place: null }))
      .then(namedEvent(null));
    given(formed, renamed, namedEvent(1)).when(byBallot()).thenNothing();
    given(formed, renamed, namedEvent(1), renamed).when(byBallot()).thenNothing();
    given().when(byBallot()).thenNothing();
  });

  test('[D2] a new organisation starts with Thunder ⚡ and Blazers 🔥', () => {
    expect(firstTeams.map(({ name, emoji }) => `${name} ${emoji}`)).toEqual(['Thunder ⚡', 'Blazers 🔥']);
  });
});

test('[ADR-0001] teams are found under the category that they were stored under', () => {
  expect(team.category).toBe('team');
});
