import { z } from 'zod';
import { publicEvent } from './envelope.ts';
import { localDateSchema, roleSchema, toldTimeZoneSchema } from './fields.ts';
import { formerMemberName } from '../domain/unnamed.ts';

/** Names travel on the topic and expire with it, never in a log. */
export const organisationFounded = publicEvent(
  'OrganisationFounded',
  1,
  z.object({ name: z.string(), timeZone: toldTimeZoneSchema, foundedAt: z.iso.datetime() }),
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
    timeZone: toldTimeZoneSchema,
    joinedOn: localDateSchema,
    joinedAt: z.iso.datetime(),
  }),
  { name: formerMemberName, timeZone: 'UTC' },
);

/** The organisation is called `name` from now on. Social opens ballots (D20). */
export const companySetUp = publicEvent(
  'CompanySetUp',
  1,
  z.object({
    name: z.string(),
    industry: z.string().nullable(),
    employeeRange: z.string(),
    brandTraits: z.array(z.string()).min(1).max(3),
    setUpAt: z.iso.datetime(),
  }),
);

/** Streaks of days long past follow as well (D11). */
export const streakFreezesSwitched = publicEvent(
  'StreakFreezesSwitched',
  1,
  z.object({ areOn: z.boolean(), switchedAt: z.iso.datetime() }),
);

/** All zones of the organisation; a reader replaces those it knows (D10). */
export const organisationTimeZoneChanged = publicEvent(
  'OrganisationTimeZoneChanged',
  1,
  z.object({
    zones: z.object({
      first: toldTimeZoneSchema,
      changes: z.array(z.object({ from: localDateSchema, timeZone: toldTimeZoneSchema })),
    }),
    changedAt: z.iso.datetime(),
  }),
);

export const teamRenamed = publicEvent(
  'TeamRenamed',
  1,
  z.object({ teamId: z.uuid(), name: z.string(), emoji: z.string() }),
);

export const teamRetired = publicEvent('TeamRetired', 1, z.object({ teamId: z.uuid() }));
export const teamReopened = publicEvent('TeamReopened', 1, z.object({ teamId: z.uuid() }));

/** What came of a ballot: `place` is that of the name in the ranking, null when the team kept the one it had (D20). */
export const teamNamedByBallot = publicEvent(
  'TeamNamedByBallot',
  1,
  z.object({
    teamId: z.uuid(),
    ballotId: z.uuid(),
    place: z.number().int().min(0).max(4).nullable(),
    /** The team's name from then on, also where it is the one that it had; absent: not told. */
    name: z.string().optional(),
  }),
);

/** Whose role is told at joining is a `member` or an `admin` from then on (D3). */
export const adminAppointed = publicEvent('AdminAppointed', 1, z.object({ userId: z.uuid() }));
export const adminDismissed = publicEvent('AdminDismissed', 1, z.object({ userId: z.uuid() }));

/** Earlier miles stay where they were earned (D2). */
export const memberMoved = publicEvent(
  'MemberMoved',
  1,
  z.object({ userId: z.uuid(), fromTeamId: z.uuid(), teamId: z.uuid(), movedAt: z.iso.datetime() }),
);

export const memberDeactivated = publicEvent(
  'MemberDeactivated',
  1,
  z.object({ userId: z.uuid(), teamId: z.uuid(), deactivatedAt: z.iso.datetime() }),
);
export const memberReactivated = publicEvent(
  'MemberReactivated',
  1,
  z.object({ userId: z.uuid(), teamId: z.uuid(), reactivatedAt: z.iso.datetime() }),
);

export const profileEdited = publicEvent(
  'ProfileEdited',
  1,
  z.object({
    userId: z.uuid(),
    name: z.string(),
    timeZone: toldTimeZoneSchema,
    profilePhotoUrl: z.string().nullable(),
  }),
  { name: formerMemberName, timeZone: 'UTC', profilePhotoUrl: null },
);

/** Everybody begins with the first three on and the others off (D18, D28). */
export const privacyChosen = publicEvent(
  'PrivacyChosen',
  1,
  z.object({
    userId: z.uuid(),
    profileVisible: z.boolean(),
    activityVisible: z.boolean(),
    statsVisible: z.boolean(),
    shareHeartRate: z.boolean(),
    shareCalories: z.boolean(),
    /** Whether recaps may show their words and photos; absent: no (D28). */
    featuredInRecaps: z.boolean(),
  }),
);

/** Once until it is taken back (D46). */
export const memberFollowed = publicEvent(
  'MemberFollowed',
  1,
  z.object({ followerId: z.uuid(), followedId: z.uuid(), at: z.iso.datetime() }),
);

export const memberUnfollowed = publicEvent(
  'MemberUnfollowed',
  1,
  z.object({ followerId: z.uuid(), followedId: z.uuid(), at: z.iso.datetime() }),
);

/** Somebody joined by an invite (D1); `invitedBy` is null where its maker is gone. */
export const inviteUsed = publicEvent(
  'InviteUsed',
  1,
  z.object({
    inviteId: z.uuid(),
    /** The newcomer. */
    userId: z.uuid(),
    invitedBy: z.uuid().nullable(),
    usedAt: z.iso.datetime(),
  }),
);

/** A copy of one's own data can be fetched, for a day. */
export const exportReady = publicEvent('ExportReady', 1, z.object({ userId: z.uuid(), at: z.iso.datetime() }));

/** Everything personal goes from every service; miles stay, earned by 'A former member'. */
export const memberErased = publicEvent(
  'MemberErased',
  1,
  z.object({ userId: z.uuid(), teamId: z.uuid(), wasActive: z.boolean(), erasedAt: z.iso.datetime() }),
);

/** By password, at whatever device: neither address nor device is told, and a session that goes on is no sign-in (3.18). */
export const memberSignedIn = publicEvent(
  'MemberSignedIn',
  1,
  z.object({ userId: z.uuid(), signedInAt: z.iso.datetime() }),
);

/** Whatever its people wrote goes from every service; ids and numbers may stay. */
export const organisationClosed = publicEvent('OrganisationClosed', 1, z.object({ closedAt: z.iso.datetime() }));

export const identityEvents = {
  OrganisationFounded: organisationFounded,
  OrganisationClosed: organisationClosed,
  CompanySetUp: companySetUp,
  StreakFreezesSwitched: streakFreezesSwitched,
  OrganisationTimeZoneChanged: organisationTimeZoneChanged,
  TeamFormed: teamFormed,
  TeamRenamed: teamRenamed,
  TeamRetired: teamRetired,
  TeamReopened: teamReopened,
  TeamNamedByBallot: teamNamedByBallot,
  MemberJoined: memberJoined,
  MemberMoved: memberMoved,
  MemberDeactivated: memberDeactivated,
  MemberReactivated: memberReactivated,
  ProfileEdited: profileEdited,
  PrivacyChosen: privacyChosen,
  MemberErased: memberErased,
  MemberSignedIn: memberSignedIn,
  AdminAppointed: adminAppointed,
  AdminDismissed: adminDismissed,
  MemberFollowed: memberFollowed,
  MemberUnfollowed: memberUnfollowed,
  InviteUsed: inviteUsed,
  ExportReady: exportReady,
};

export { formerMemberName, formerTeamName, hiddenMemberName } from '../domain/unnamed.ts';
