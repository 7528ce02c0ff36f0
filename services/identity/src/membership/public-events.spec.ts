import adminAppointedSample from '@caravan/contracts/samples/AdminAppointed.v1.json';
import adminDismissedSample from '@caravan/contracts/samples/AdminDismissed.v1.json';
import companySetUpSample from '@caravan/contracts/samples/CompanySetUp.v1.json';
import memberDeactivatedSample from '@caravan/contracts/samples/MemberDeactivated.v1.json';
import memberErasedSample from '@caravan/contracts/samples/MemberErased.v1.json';
import memberJoinedSample from '@caravan/contracts/samples/MemberJoined.v1.json';
import memberMovedSample from '@caravan/contracts/samples/MemberMoved.v1.json';
import memberReactivatedSample from '@caravan/contracts/samples/MemberReactivated.v1.json';
import organisationClosedSample from '@caravan/contracts/samples/OrganisationClosed.v1.json';
import organisationFoundedSample from '@caravan/contracts/samples/OrganisationFounded.v1.json';
import privacyChosenSample from '@caravan/contracts/samples/PrivacyChosen.v1.json';
import profileEditedSample from '@caravan/contracts/samples/ProfileEdited.v1.json';
import streakFreezesSwitchedSample from '@caravan/contracts/samples/StreakFreezesSwitched.v1.json';
import teamFormedSample from '@caravan/contracts/samples/TeamFormed.v1.json';
import teamRenamedSample from '@caravan/contracts/samples/TeamRenamed.v1.json';
import teamNamedByBallotSample from '@caravan/contracts/samples/TeamNamedByBallot.v1.name.json';
import teamReopenedSample from '@caravan/contracts/samples/TeamReopened.v1.json';
import teamRetiredSample from '@caravan/contracts/samples/TeamRetired.v1.json';
import type { DomainEvent } from '@caravan/event-store/core/decider';
import type { OutgoingEvent, PublicEvents } from '@caravan/event-store/core/public-events';
import { expect, test } from 'vitest';
import type { OrganisationEvent } from '../organisations/organisation.ts';
import { organisationPublicEvents } from '../organisations/public-events.ts';
import type { MembershipEvent } from './membership.ts';
import { membershipPublicEvents, teamPublicEvents } from './public-events.ts';
import type { TeamEvent } from './team.ts';

const recorded = {
  eventId: '019a8c10-0000-7000-8000-0000000000ff',
  streamId: 'stream',
  version: 1,
  orgId: '019a8c10-0000-7000-8000-000000000001',
  actorId: null,
  recordedAt: new Date('2026-11-16T08:00:00.000Z'),
};

/** What leaves of a recorded event. */
function outgoing<Event extends DomainEvent, PublicPayload>(
  map: PublicEvents<Event, PublicPayload>,
  event: Event,
  publicPayload: PublicPayload,
): OutgoingEvent | 'private' {
  const answer = map[event.type as Event['type']];
  if (answer === 'private') return answer;
  const tell = answer as (event: object, publicPayload: PublicPayload) => OutgoingEvent;
  return tell({ ...recorded, ...event }, publicPayload);
}

const ofOrganisation = (event: OrganisationEvent, publicPayload: object) =>
  outgoing(organisationPublicEvents, event, { name: '', timeZone: 'UTC', industry: null, ...publicPayload });
const ofTeam = (event: TeamEvent, publicPayload: object) =>
  outgoing(teamPublicEvents, event, { name: '', emoji: '', ...publicPayload });
const ofMember = (event: MembershipEvent, publicPayload: object = {}) =>
  outgoing(membershipPublicEvents, event, { name: '', timeZone: 'UTC', profilePhotoUrl: null, ...publicPayload });

test('[D1] what leaves of a founding is the frozen sample', () => {
  const { foundedAt, ...publicPayload } = organisationFoundedSample;
  const told = ofOrganisation({ type: 'OrganisationFounded', data: { foundedAt } }, publicPayload);
  expect(told).toEqual({ type: 'OrganisationFounded', version: 1, data: organisationFoundedSample });
});

test('[7.32] what leaves of a company’s set-up is the frozen sample', () => {
  const { name, industry, ...data } = companySetUpSample;
  const told = ofOrganisation({ type: 'CompanySetUp', data }, { name, industry });
  expect(told).toEqual({ type: 'CompanySetUp', version: 1, data: companySetUpSample });
});

test('[D11] what leaves of freezes that are switched is the frozen sample', () => {
  const data = streakFreezesSwitchedSample;
  expect(ofOrganisation({ type: 'StreakFreezesSwitched', data }, {})).toEqual({
    type: 'StreakFreezesSwitched',
    version: 1,
    data,
  });
});

test('[D43] what leaves of an organisation that closes is the frozen sample', () => {
  const told = ofOrganisation({ type: 'OrganisationClosed', data: organisationClosedSample }, {});
  expect(told).toEqual({ type: 'OrganisationClosed', version: 1, data: organisationClosedSample });
  expect(ofTeam({ type: 'TeamDissolved', data: { teamId: teamFormedSample.teamId } }, {})).toBe('private');
});

test('[D2] what leaves of a team that is formed, renamed, retired and reopened are the frozen samples', () => {
  const { teamId, name, emoji, formedAt } = teamFormedSample;
  const formed = ofTeam({ type: 'TeamFormed', data: { teamId, formedAt } }, { name, emoji });
  expect(formed).toEqual({ type: 'TeamFormed', version: 1, data: teamFormedSample });
  const { teamId: renamedId, ...naming } = teamRenamedSample;
  const renamed = ofTeam({ type: 'TeamRenamed', data: { teamId: renamedId } }, naming);
  expect(renamed).toEqual({ type: 'TeamRenamed', version: 1, data: teamRenamedSample });
  for (const [type, data] of [
    ['TeamRetired', teamRetiredSample],
    ['TeamReopened', teamReopenedSample],
  ] as const)
    expect(ofTeam({ type, data }, {})).toEqual({ type, version: 1, data });
});

test('[D20] what leaves of a team that a ballot named is the frozen sample', () => {
  const { name, ...data } = teamNamedByBallotSample;
  const told = ofTeam({ type: 'TeamNamedByBallot', data }, { name });
  expect(told).toEqual({ type: 'TeamNamedByBallot', version: 1, data: teamNamedByBallotSample });
});

test('[D1 D2] what leaves of a joining is the frozen sample', () => {
  const { name, timeZone, ...joined } = memberJoinedSample;
  const data = { ...joined, role: 'member' as const };
  const told = ofMember({ type: 'MemberJoined', data }, { name, timeZone });
  expect(told).toEqual({ type: 'MemberJoined', version: 1, data: memberJoinedSample });
});

test('[D2 D18 D43] what leaves of a member who moves, sleeps, wakes, shows less or is erased are the frozen samples', () => {
  const told: MembershipEvent[] = [
    { type: 'MemberMoved', data: memberMovedSample },
    { type: 'MemberDeactivated', data: memberDeactivatedSample },
    { type: 'MemberReactivated', data: memberReactivatedSample },
    { type: 'PrivacyChosen', data: privacyChosenSample },
    { type: 'MemberErased', data: memberErasedSample },
  ];
  for (const event of told) expect(ofMember(event)).toEqual({ ...event, version: 1 });
});

test('[7.30] what leaves of an edited profile is the frozen sample', () => {
  const { userId, ...publicPayload } = profileEditedSample;
  const told = ofMember({ type: 'ProfileEdited', data: { userId } }, publicPayload);
  expect(told).toEqual({ type: 'ProfileEdited', version: 1, data: profileEditedSample });
});

test('[D3 D27] what leaves of an admin who is appointed or dismissed are the frozen samples', () => {
  expect(ofMember({ type: 'AdminAppointed', data: adminAppointedSample })).toEqual({
    type: 'AdminAppointed',
    version: 1,
    data: adminAppointedSample,
  });
  expect(ofMember({ type: 'AdminDismissed', data: adminDismissedSample })).toEqual({
    type: 'AdminDismissed',
    version: 1,
    data: adminDismissedSample,
  });
});
