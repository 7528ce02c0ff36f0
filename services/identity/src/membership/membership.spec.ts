import { specOf } from '@caravan/event-store/testing/given-when-then';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type AppointAdmin,
  type JoinOrganisation,
  membership,
  type MembershipEvent,
  smallestOf,
} from './membership.ts';
import { firstTeams, team } from './team.ts';

const at = new Date('2026-11-16T08:01:00.000Z');
const maya = '019a8c10-0000-7000-8000-000000000031';
const thunder = { teamId: '019a8c10-0000-7000-8000-000000000021', activeMembers: 3, formedAt: new Date('2026-01-01') };
const blazers = { teamId: '019a8c10-0000-7000-8000-000000000022', activeMembers: 2, formedAt: new Date('2026-01-02') };
const join: JoinOrganisation = {
  type: 'JoinOrganisation',
  userId: maya,
  role: 'member',
  joinedOn: '2026-11-16',
  teams: [thunder, blazers],
  teamId: null,
};
const appoint: AppointAdmin = { type: 'AppointAdmin', userId: maya };
const joined = (teamId: string, role: 'member' | 'admin' = 'member'): MembershipEvent => ({
  type: 'MemberJoined',
  data: { userId: maya, teamId, role, joinedOn: '2026-11-16', joinedAt: at.toISOString() },
});
const appointed: MembershipEvent = { type: 'AdminAppointed', data: { userId: maya } };

const given = specOf(membership, { at });

describe('joining an organisation', () => {
  test('[D2] leads to the team with the fewest active members', () => {
    given().when(join).then(joined(blazers.teamId));
  });

  test('[D2] with equal teams leads to the older one', () => {
    const teams = [blazers, { ...thunder, activeMembers: 2 }];
    given()
      .when({ ...join, teams })
      .then(joined(thunder.teamId));
  });

  test('[D43] leads to the team that an invite names', () => {
    given()
      .when({ ...join, teamId: thunder.teamId })
      .then(joined(thunder.teamId));
  });

  test('[D43] leads to the smallest when the named team is gone', () => {
    given()
      .when({ ...join, teamId: maya })
      .then(joined(blazers.teamId));
  });

  test('[D1] founds as admin whoever founded it', () => {
    given()
      .when({ ...join, role: 'admin' })
      .then(joined(blazers.teamId, 'admin'));
  });

  test('[D2] happens once', () => {
    given(joined(thunder.teamId)).when(join).thenNothing();
  });

  test('[D2] needs a team', () => {
    given()
      .when({ ...join, teams: [] })
      .rejects('membership/no-team', 'conflict');
  });
});

describe('appointing an admin', () => {
  test('[D3] makes a member admin, once', () => {
    given(joined(thunder.teamId)).when(appoint).then(appointed);
    given(joined(thunder.teamId), appointed).when(appoint).thenNothing();
    given(joined(thunder.teamId, 'admin')).when(appoint).thenNothing();
  });

  test('[D4] of somebody who is no member is refused', () => {
    given().when(appoint).rejects('membership/not-found', 'not-found');
  });
});

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
  const form = { type: 'FormTeam', teamId: thunder.teamId } as const;
  const formed = { type: 'TeamFormed', data: { teamId: thunder.teamId, formedAt: at.toISOString() } } as const;
  const givenTeam = specOf(team, { at });

  test('[D2] is formed once', () => {
    givenTeam().when(form).then(formed);
    givenTeam(formed).when(form).thenNothing();
  });

  test('[D2] a new organisation starts with Thunder ⚡ and Blazers 🔥', () => {
    expect(firstTeams.map(({ name, emoji }) => `${name} ${emoji}`)).toEqual(['Thunder ⚡', 'Blazers 🔥']);
  });
});
