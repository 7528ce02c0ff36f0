import { specOf } from '@caravan/event-store/testing/given-when-then';
import { Invalid } from '@caravan/kernel/problem';
import { describe, expect, test } from 'vitest';
import { firstPrivacy, membership } from './membership.ts';
import type { ManageMember, MembershipEvent } from './membership.ts';

const at = new Date('2026-11-16T08:01:00.000Z');
const maya = '019a8c10-0000-7000-8000-000000000031';
const thunder = { teamId: '019a8c10-0000-7000-8000-000000000021', activeMembers: 3, formedAt: new Date('2026-01-01') };
const blazers = { teamId: '019a8c10-0000-7000-8000-000000000022', activeMembers: 2, formedAt: new Date('2026-01-02') };
const given = specOf(membership, { at });
const joinedEvent = (teamId: string, role: 'member' | 'admin' = 'member'): MembershipEvent => ({
  type: 'MemberJoined',
  data: { userId: maya, teamId, role, joinedOn: '2026-11-16', joinedAt: at.toISOString() },
});
const appointed: MembershipEvent = { type: 'AdminAppointed', data: { userId: maya } };
const erased: MembershipEvent = {
  type: 'MemberErased',
  data: { userId: maya, teamId: thunder.teamId, wasActive: true, erasedAt: at.toISOString() },
};
const movedEvent = (fromTeamId: string, teamId: string): MembershipEvent => ({
  type: 'MemberMoved',
  data: { userId: maya, fromTeamId, teamId, movedAt: at.toISOString() },
});
const deactivatedEvent = (teamId: string): MembershipEvent => ({
  type: 'MemberDeactivated',
  data: { userId: maya, teamId, deactivatedAt: at.toISOString() },
});
const reactivatedEvent = (teamId: string): MembershipEvent => ({
  type: 'MemberReactivated',
  data: { userId: maya, teamId, reactivatedAt: at.toISOString() },
});
const dismissed: MembershipEvent = { type: 'AdminDismissed', data: { userId: maya } };

const manage = (wish: Partial<ManageMember>): ManageMember => ({
  type: 'ManageMember',
  userId: maya,
  role: undefined,
  teamId: undefined,
  isActive: undefined,
  openTeams: [thunder, blazers],
  otherActiveAdmins: 1,
  ...wish,
});

describe('managing a member', () => {
  const member = joinedEvent(thunder.teamId);
  const admin = joinedEvent(thunder.teamId, 'admin');

  test('[D2] moves to another team, and nowhere when already there', () => {
    given(member)
      .when(manage({ teamId: blazers.teamId }))
      .then(movedEvent(thunder.teamId, blazers.teamId));
    given(member)
      .when(manage({ teamId: thunder.teamId }))
      .thenNothing();
    given(member, movedEvent(thunder.teamId, blazers.teamId))
      .when(manage({ teamId: thunder.teamId }))
      .then(movedEvent(blazers.teamId, thunder.teamId));
  });

  test('[D2] to a retired team is refused', () => {
    given(member)
      .when(manage({ teamId: blazers.teamId, openTeams: [thunder] }))
      .rejects('team/retired', 'invalid');
  });

  test('[D3] appoints and dismisses, once', () => {
    given(member)
      .when(manage({ role: 'admin' }))
      .then(appointed);
    given(admin)
      .when(manage({ role: 'admin' }))
      .thenNothing();
    given(admin)
      .when(manage({ role: 'member' }))
      .then(dismissed);
    given(admin, dismissed)
      .when(manage({ role: 'member' }))
      .thenNothing();
  });

  test('[D3] never takes the last admin’s role or account', () => {
    const asLast = { otherActiveAdmins: 0 };
    given(admin)
      .when(manage({ role: 'member', ...asLast }))
      .rejects('membership/last-admin', 'invalid');
    given(admin)
      .when(manage({ isActive: false, ...asLast }))
      .rejects('membership/last-admin', 'invalid');
    given(admin)
      .when(manage({ role: 'member', isActive: false, ...asLast }))
      .rejects('membership/last-admin', 'invalid');
  });

  test('[D3] deactivates a member also where nobody is admin', () => {
    given(member)
      .when(manage({ isActive: false, otherActiveAdmins: 0 }))
      .then(deactivatedEvent(thunder.teamId));
  });

  test('[D38] names the field that a refusal is about', () => {
    const fieldOf = (wish: Partial<ManageMember>) => {
      try {
        const state = {
          is: 'member',
          teamId: thunder.teamId,
          role: 'admin',
          isActive: true,
          privacy: firstPrivacy,
        } as const;
        return membership.decide(manage(wish), state, { by: null, orgId: 'org', at });
      } catch (error) {
        return error instanceof Invalid ? error.errors.map(({ path }) => path) : error;
      }
    };
    expect(fieldOf({ role: 'member', otherActiveAdmins: 0 })).toEqual(['role']);
    expect(fieldOf({ isActive: false, otherActiveAdmins: 0 })).toEqual(['isActive']);
    expect(fieldOf({ teamId: blazers.teamId, openTeams: [thunder] })).toEqual(['teamId']);
  });

  test('[D3] moves the last admin like anybody else, and lets go an admin who is not active', () => {
    given(admin)
      .when(manage({ teamId: blazers.teamId, otherActiveAdmins: 0 }))
      .then(movedEvent(thunder.teamId, blazers.teamId));
    given(admin, deactivatedEvent(thunder.teamId))
      .when(manage({ role: 'member', otherActiveAdmins: 0 }))
      .then(dismissed);
  });

  test('[D43] deactivates and reactivates, once', () => {
    given(member)
      .when(manage({ isActive: false }))
      .then(deactivatedEvent(thunder.teamId));
    given(member, deactivatedEvent(thunder.teamId))
      .when(manage({ isActive: false }))
      .thenNothing();
    given(member, deactivatedEvent(thunder.teamId))
      .when(manage({ isActive: true }))
      .then(reactivatedEvent(thunder.teamId));
    given(member)
      .when(manage({ isActive: true }))
      .thenNothing();
  });

  test('[D43] a member who came back is active: reactivated no more, and deactivated again', () => {
    const back = given(member, deactivatedEvent(thunder.teamId), reactivatedEvent(thunder.teamId));
    back.when(manage({ isActive: true })).thenNothing();
    back.when(manage({ isActive: false })).then(deactivatedEvent(thunder.teamId));
  });

  test('[D2] brings back into the smallest team whose own was retired meanwhile', () => {
    const back = manage({ isActive: true, openTeams: [blazers] });
    given(member, deactivatedEvent(thunder.teamId))
      .when(back)
      .then(movedEvent(thunder.teamId, blazers.teamId), reactivatedEvent(blazers.teamId));
    given(member, deactivatedEvent(thunder.teamId))
      .when({ ...back, teamId: thunder.teamId })
      .rejects('team/retired', 'invalid');
  });

  test('[D2] leaves whoever is not active in a retired team', () => {
    given(joinedEvent(thunder.teamId, 'admin'), deactivatedEvent(thunder.teamId))
      .when(manage({ role: 'member', openTeams: [blazers] }))
      .then(dismissed);
  });

  test('[D43] does all that is wished for at once', () => {
    given(member)
      .when(manage({ teamId: blazers.teamId, role: 'admin', isActive: false }))
      .then(movedEvent(thunder.teamId, blazers.teamId), appointed, deactivatedEvent(blazers.teamId));
    given(member).when(manage({})).thenNothing();
  });

  test('[D4] of somebody who is no member, or no longer, is refused', () => {
    given()
      .when(manage({ role: 'admin' }))
      .rejects('membership/not-found', 'not-found');
    given(member, erased)
      .when(manage({ role: 'admin' }))
      .rejects('membership/not-found', 'not-found');
  });
});
