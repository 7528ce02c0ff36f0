import { z } from 'zod';
import { publicEvent } from './envelope.ts';
import { localDateSchema, roleSchema, timeZoneSchema } from './fields.ts';

/** Public facts of identity on `identity.v1`; key: orgId. Names travel here and expire with the topic, never in a log. */
export const organisationFounded = publicEvent(
  'OrganisationFounded',
  1,
  z.object({ name: z.string(), timeZone: timeZoneSchema, foundedAt: z.iso.datetime() }),
);

export const teamFormed = publicEvent(
  'TeamFormed',
  1,
  z.object({ teamId: z.uuid(), name: z.string(), emoji: z.string(), formedAt: z.iso.datetime() }),
);

export const memberJoined = publicEvent(
  'MemberJoined',
  1,
  z.object({
    userId: z.uuid(),
    name: z.string(),
    teamId: z.uuid(),
    role: roleSchema,
    timeZone: timeZoneSchema,
    joinedOn: localDateSchema,
    joinedAt: z.iso.datetime(),
  }),
);

export const identityEvents = {
  OrganisationFounded: organisationFounded,
  TeamFormed: teamFormed,
  MemberJoined: memberJoined,
};
