import { specOf } from '@caravan/event-store/testing/given-when-then';
import { describe, expect, test } from 'vitest';
import {
  type AppointAdmin,
  firstPrivacy,
  type JoinOrganisation,
  membership,
  type MembershipEvent,
} from './membership.ts';

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
const appoint: AppointAdmin = { type: 'AppointAdmin', openTeams: [], userId: maya };
const joinedEvent = (teamId: string, role: 'member' | 'admin' = 'member'): MembershipEvent => ({
  type: 'MemberJoined',
  data: { userId: maya, teamId, role, joinedOn: '2026-11-16', joinedAt: at.toISOString() },
});
const appointed: MembershipEvent = { type: 'AdminAppointed', data: { userId: maya } };

const given = specOf(membership, { at });

describe('joining an organisation', () => {
  test('[D2] leads to the team with the fewest active members', () => {
    given().when(join).then(joinedEvent(blazers.teamId));
  });

  test('[D2] with equal teams leads to the older one', () => {
    const teams = [blazers, { ...thunder, activeMembers: 2 }];
    given()
      .when({ ...join, teams })
      .then(joinedEvent(thunder.teamId));
  });

  test('[D43] leads to the team that an invite names', () => {
    given()
      .when({ ...join, teamId: thunder.teamId })
      .then(joinedEvent(thunder.teamId));
  });

  test('[D43] leads to the smallest when the named team is gone', () => {
    given()
      .when({ ...join, teamId: maya })
      .then(joinedEvent(blazers.teamId));
  });

  test('[D1] founds as admin whoever founded it', () => {
    given()
      .when({ ...join, role: 'admin' })
      .then(joinedEvent(blazers.teamId, 'admin'));
  });

  test('[D2] happens once', () => {
    given(joinedEvent(thunder.teamId)).when(join).thenNothing();
  });

  test('[D2] needs a team', () => {
    given()
      .when({ ...join, teams: [] })
      .rejects('membership/no-team', 'conflict');
  });
});

describe('appointing an admin', () => {
  test('[D3] makes a member admin, once', () => {
    given(joinedEvent(thunder.teamId)).when(appoint).then(appointed);
    given(joinedEvent(thunder.teamId), appointed).when(appoint).thenNothing();
    given(joinedEvent(thunder.teamId, 'admin')).when(appoint).thenNothing();
  });

  test('[D3] brings back a member who was deactivated, into their own team where no other is open', () => {
    given(joinedEvent(thunder.teamId), deactivatedEvent(thunder.teamId))
      .when(appoint)
      .then(appointed, {
        type: 'MemberReactivated',
        data: { userId: maya, teamId: thunder.teamId, reactivatedAt: at.toISOString() },
      });
  });

  test('[D4] of somebody who is no member is refused', () => {
    given().when(appoint).rejects('membership/not-found', 'not-found');
  });
});

const deactivatedEvent = (teamId: string): MembershipEvent => ({
  type: 'MemberDeactivated',
  data: { userId: maya, teamId, deactivatedAt: at.toISOString() },
});
describe('what a member shows', () => {
  const member = joinedEvent(thunder.teamId);
  const choose = (privacy: object) => ({ type: 'ChoosePrivacy', userId: maya, privacy }) as const;
  const privacyEvent = (privacy: object): MembershipEvent => ({
    type: 'PrivacyChosen',
    data: { userId: maya, ...firstPrivacy, ...privacy },
  });

  test('[D28] a member stands in recaps only once they said so', () => {
    const earlier = privacyEvent({ statsVisible: false });
    expect(firstPrivacy.featuredInRecaps).toBe(false);
    given(member, earlier)
      .when(choose({ featuredInRecaps: false }))
      .thenNothing();
    given(member, earlier)
      .when(choose({ featuredInRecaps: true }))
      .then(privacyEvent({ statsVisible: false, featuredInRecaps: true }));
    given(member, privacyEvent({ featuredInRecaps: true }))
      .when(choose({ statsVisible: false }))
      .then(privacyEvent({ statsVisible: false, featuredInRecaps: true }));
  });

  test('[D18] begins with profile, activity and figures, and without heart rate and calories', () => {
    given(member).when(choose(firstPrivacy)).thenNothing();
    given(member)
      .when(choose({ statsVisible: false }))
      .then(privacyEvent({ statsVisible: false }));
    given(member)
      .when(choose({ shareHeartRate: true, shareCalories: true }))
      .then(privacyEvent({ shareHeartRate: true, shareCalories: true }));
  });

  test('[D18 D28] begins with what is shown to colleagues, and nothing that needs a consent of its own', () => {
    expect(firstPrivacy).toEqual({
      profileVisible: true,
      activityVisible: true,
      statsVisible: true,
      shareHeartRate: false,
      shareCalories: false,
      featuredInRecaps: false,
    });
  });

  test('[D18] keeps what is not named', () => {
    given(member, privacyEvent({ statsVisible: false }))
      .when(choose({ profileVisible: false }))
      .then(privacyEvent({ statsVisible: false, profileVisible: false }));
    given(member, privacyEvent({ statsVisible: false }))
      .when(choose({ statsVisible: false }))
      .thenNothing();
  });

  test('[D39] is told anew when the profile was edited', () => {
    given(member)
      .when({ type: 'EditProfile', userId: maya })
      .then({ type: 'ProfileEdited', data: { userId: maya } });
    given(member, { type: 'ProfileEdited', data: { userId: maya } })
      .when(choose({ statsVisible: true }))
      .thenNothing();
  });
});

describe('erasing a member', () => {
  const erase = (others: { otherActiveMembers: number; otherActiveAdmins: number }) =>
    ({ type: 'EraseMember', userId: maya, ...others }) as const;
  const member = joinedEvent(thunder.teamId);
  const admin = joinedEvent(thunder.teamId, 'admin');

  test('[D43] ends the membership for good, once', () => {
    const alone = erase({ otherActiveMembers: 0, otherActiveAdmins: 0 });
    given(member).when(alone).then(erasedAs(true));
    given(member, deactivatedEvent(thunder.teamId)).when(alone).then(erasedAs(false));
    given(member, erasedAs(true)).when(alone).thenNothing();
    given(member, erasedAs(true)).when(join).rejects('membership/not-found', 'not-found');
  });

  test('[D3] of the last admin waits until there is another or nobody is left behind', () => {
    given(admin)
      .when(erase({ otherActiveMembers: 2, otherActiveAdmins: 0 }))
      .rejects('membership/last-admin', 'invalid');
    given(admin)
      .when(erase({ otherActiveMembers: 2, otherActiveAdmins: 1 }))
      .then(erasedAs(true));
    given(admin)
      .when(erase({ otherActiveMembers: 0, otherActiveAdmins: 0 }))
      .then(erasedAs(true));
    given(member)
      .when(erase({ otherActiveMembers: 2, otherActiveAdmins: 0 }))
      .then(erasedAs(true));
  });
});

function erasedAs(wasActive: boolean): MembershipEvent {
  return {
    type: 'MemberErased',
    data: { userId: maya, teamId: thunder.teamId, wasActive, erasedAt: at.toISOString() },
  };
}

test('[ADR-0001] memberships are found under the category that they were stored under', () => {
  expect(membership.category).toBe('membership');
});
