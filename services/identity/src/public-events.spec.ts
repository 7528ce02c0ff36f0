import memberJoinedSample from '@caravan/contracts/samples/MemberJoined.v1.json';
import organisationFoundedSample from '@caravan/contracts/samples/OrganisationFounded.v1.json';
import teamFormedSample from '@caravan/contracts/samples/TeamFormed.v1.json';
import { expect, test } from 'vitest';
import { membershipPublicEvents, teamPublicEvents } from './membership/public-events.ts';
import { organisationPublicEvents } from './organisations/public-events.ts';

const recorded = {
  eventId: '019a8c10-0000-7000-8000-0000000000ff',
  streamId: 'stream',
  version: 1,
  orgId: '019a8c10-0000-7000-8000-000000000001',
  actorId: null,
  recordedAt: new Date('2026-11-16T08:00:00.000Z'),
};

test('[D1] what leaves of a founding is the frozen sample', () => {
  const { name, timeZone, foundedAt } = organisationFoundedSample;
  const map = organisationPublicEvents.OrganisationFounded;
  if (map === 'private') throw new Error('private');
  const outgoing = map({ ...recorded, type: 'OrganisationFounded', data: { foundedAt } }, { name, timeZone });
  expect(outgoing).toEqual({ type: 'OrganisationFounded', version: 1, data: organisationFoundedSample });
});

test('[D2] what leaves of a new team is the frozen sample', () => {
  const { teamId, name, emoji, formedAt } = teamFormedSample;
  const map = teamPublicEvents.TeamFormed;
  if (map === 'private') throw new Error('private');
  const outgoing = map({ ...recorded, type: 'TeamFormed', data: { teamId, formedAt } }, { name, emoji });
  expect(outgoing).toEqual({ type: 'TeamFormed', version: 1, data: teamFormedSample });
});

test('[D1 D2] what leaves of a joining is the frozen sample', () => {
  const { name, timeZone, ...joined } = memberJoinedSample;
  const map = membershipPublicEvents.MemberJoined;
  if (map === 'private') throw new Error('private');
  const data = { ...joined, role: 'member' as const };
  const outgoing = map({ ...recorded, type: 'MemberJoined', data }, { name, timeZone, profilePhotoUrl: null });
  expect(outgoing).toEqual({ type: 'MemberJoined', version: 1, data: memberJoinedSample });
});
