import { specOf } from '@caravan/event-store/testing/given-when-then';
import { describe, test } from 'vitest';
import {
  type AppointAdmin,
  firstPrivacy,
  type JoinOrganisation,
  type ManageMember,
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

const moved = (fromTeamId: string, teamId: string): MembershipEvent => ({
  type: 'MemberMoved',
  data: { userId: maya, fromTeamId, teamId, movedAt: at.toISOString() },
});
const deactivated = (teamId: string): MembershipEvent => ({
  type: 'MemberDeactivated',
  data: { userId: maya, teamId, deactivatedAt: at.toISOString() },
});
const reactivated = (teamId: string): MembershipEvent => ({
  type: 'MemberReactivated',
  data: { userId: maya, teamId, reactivatedAt: at.toISOString() },
});
const dismissed: MembershipEvent = { type: 'AdminDismissed', data: { userId: maya } };

const manage = (wish: Partial<ManageMember>): ManageMember => ({
  type: 'ManageMember',
  userId: maya,
  ...{ role: undefined, teamId: undefined, isActive: undefined },
  ...{ openTeams: [thunder, blazers], otherActiveAdmins: 1 },
  ...wish,
});

describe('managing a member', () => {
  const member = joined(thunder.teamId);
  const admin = joined(thunder.teamId, 'admin');

  test('[D2] moves to another team, and nowhere when already there', () => {
    given(member)
      .when(manage({ teamId: blazers.teamId }))
      .then(moved(thunder.teamId, blazers.teamId));
    given(member)
      .when(manage({ teamId: thunder.teamId }))
      .thenNothing();
    given(member, moved(thunder.teamId, blazers.teamId))
      .when(manage({ teamId: thunder.teamId }))
      .then(moved(blazers.teamId, thunder.teamId));
  });

  test('[D2] to a retired team is refused', () => {
    given(member)
      .when(manage({ teamId: blazers.teamId, openTeams: [thunder] }))
      .rejects('membership/team-retired', 'invalid');
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

  test('[D3] moves the last admin like anybody else, and lets go an admin who is not active', () => {
    given(admin)
      .when(manage({ teamId: blazers.teamId, otherActiveAdmins: 0 }))
      .then(moved(thunder.teamId, blazers.teamId));
    given(admin, deactivated(thunder.teamId))
      .when(manage({ role: 'member', otherActiveAdmins: 0 }))
      .then(dismissed);
  });

  test('[D43] deactivates and reactivates, once', () => {
    given(member)
      .when(manage({ isActive: false }))
      .then(deactivated(thunder.teamId));
    given(member, deactivated(thunder.teamId))
      .when(manage({ isActive: false }))
      .thenNothing();
    given(member, deactivated(thunder.teamId))
      .when(manage({ isActive: true }))
      .then(reactivated(thunder.teamId));
    given(member)
      .when(manage({ isActive: true }))
      .thenNothing();
  });

  test('[D2] brings back into the smallest team whose own was retired meanwhile', () => {
    const back = manage({ isActive: true, openTeams: [blazers] });
    given(member, deactivated(thunder.teamId))
      .when(back)
      .then(moved(thunder.teamId, blazers.teamId), reactivated(blazers.teamId));
    given(member, deactivated(thunder.teamId))
      .when({ ...back, teamId: thunder.teamId })
      .rejects('membership/team-retired', 'invalid');
  });

  test('[D2] leaves whoever is not active in a retired team', () => {
    given(joined(thunder.teamId, 'admin'), deactivated(thunder.teamId))
      .when(manage({ role: 'member', openTeams: [blazers] }))
      .then(dismissed);
  });

  test('[D43] does all that is wished for at once', () => {
    given(member)
      .when(manage({ teamId: blazers.teamId, role: 'admin', isActive: false }))
      .then(moved(thunder.teamId, blazers.teamId), appointed, deactivated(blazers.teamId));
    given(member).when(manage({})).thenNothing();
  });

  test('[D4] of somebody who is no member, or no longer, is refused', () => {
    given()
      .when(manage({ role: 'admin' }))
      .rejects('membership/not-found', 'not-found');
    given(member, erasedAs(true))
      .when(manage({ role: 'admin' }))
      .rejects('membership/not-found', 'not-found');
  });
});

describe('what a member shows', () => {
  const member = joined(thunder.teamId);
  const choose = (privacy: object) => ({ type: 'ChoosePrivacy', userId: maya, privacy }) as const;
  const chosen = (privacy: object): MembershipEvent => ({
    type: 'PrivacyChosen',
    data: { userId: maya, ...firstPrivacy, ...privacy },
  });

  test('[D18] begins with profile, activity and figures, and without heart rate and calories', () => {
    given(member).when(choose(firstPrivacy)).thenNothing();
    given(member)
      .when(choose({ statsVisible: false }))
      .then(chosen({ statsVisible: false }));
    given(member)
      .when(choose({ shareHeartRate: true, shareCalories: true }))
      .then(chosen({ shareHeartRate: true, shareCalories: true }));
  });

  test('[D18] keeps what is not named', () => {
    given(member, chosen({ statsVisible: false }))
      .when(choose({ profileVisible: false }))
      .then(chosen({ statsVisible: false, profileVisible: false }));
    given(member, chosen({ statsVisible: false }))
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
  const member = joined(thunder.teamId);
  const admin = joined(thunder.teamId, 'admin');

  test('[D43] ends the membership for good, once', () => {
    const alone = erase({ otherActiveMembers: 0, otherActiveAdmins: 0 });
    given(member).when(alone).then(erasedAs(true));
    given(member, deactivated(thunder.teamId)).when(alone).then(erasedAs(false));
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
