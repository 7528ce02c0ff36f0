import type { SessionAnswer } from '@caravan/contracts/http/accounts';
import type { Role } from '@caravan/contracts/fields';
import type { Privacy } from '@caravan/contracts/http/people';
import type { Tx, Unit } from '@caravan/event-store/event-store';
import type { HeaderSink } from '@caravan/service-kit/request-context';

// What one feature offers to the others: the features themselves do not know each other. Each symbol is the injection
// token under which the feature's module provides it.

/** signing-keys: access tokens that every service accepts. */
export const AccessTokens = Symbol('AccessTokens');
export type AccessTokens = {
  issue(holder: { userId: string; orgId: string; sessionId: string; role: Role }, at: Date): Promise<string>;
};

/** organisations: new organisations. */
export const Founding = Symbol('Founding');
export type Founding = {
  /** Founds the organisation of the unit; false when it exists already. */
  found(unit: Unit, naming: { name: string; timeZone: string }): Promise<boolean>;
  /** Closes the organisation of the unit for good, once nobody is in it: no word of it stays, its invites are void. */
  close(unit: Unit): Promise<void>;
};

export type TeamRef = { readonly id: string; readonly name: string; readonly emoji: string };

/** membership: teams and who belongs to them. */
export const Belonging = Symbol('Belonging');
export type Belonging = {
  formFirstTeams(unit: Unit): Promise<void>;
  /** Takes the organisation's lock and joins a team: the one named, else the smallest. Throws `Rejected`. */
  join(unit: Unit, member: NewMember): Promise<TeamRef>;
  /** Takes the organisation's lock; somebody deactivated comes back by it. */
  appointAdmin(unit: Unit, userId: string): Promise<void>;
  /** For an organisation that closes. */
  dissolveTeams(unit: Unit): Promise<void>;
  /**
   * Takes the organisation's lock and ends the membership for good; the person's own rows are the caller's to delete,
   * afterwards. Throws `Rejected` for the last admin while other active members exist (422), unless the organisation
   * closes with all of them.
   */
  erase(unit: Unit, userId: string, isClosing?: boolean): Promise<void>;
};
export type NewMember = {
  readonly userId: string;
  readonly name: string;
  readonly timeZone: string;
  readonly role: Role;
  readonly teamId: string | null;
};

/** membership: what admins make of teams and members, and members of what is told about them. */
export const Managing = Symbol('Managing');
export type Managing = {
  /** Answers the new team's id. Throws `Rejected` for a name that an open team has. */
  formTeam(unit: Unit, naming: { name: string; emoji: string }): Promise<string>;
  /** Throws `Rejected` for an unknown team, a taken name, and when it cannot be retired. */
  changeTeam(unit: Unit, teamId: string, wish: TeamWish): Promise<void>;
  /** Throws `Rejected` for an unknown member or team, a retired team, and the last admin. */
  changeMember(unit: Unit, userId: string, wish: MemberWish): Promise<MemberChange>;
  /** Tells the other services what the person's rows say by now. */
  editProfile(unit: Unit, userId: string): Promise<void>;
  /** What is absent stays; the rows follow. */
  choosePrivacy(unit: Unit, userId: string, privacy: { [Key in keyof Privacy]?: boolean | undefined }): Promise<void>;
};
export type TeamWish = {
  readonly name?: string | undefined;
  readonly emoji?: string | undefined;
  readonly retired?: boolean | undefined;
};
export type MemberWish = {
  readonly role?: Role | undefined;
  readonly teamId?: string | undefined;
  readonly isActive?: boolean | undefined;
};
export type MemberChange = {
  /** What happened, as recorded; nothing when everything was so already. */
  readonly events: readonly string[];
  /** Why the person's sessions have to end; null when they may go on. */
  readonly endsSessions: EndReason | null;
};

/** Why a session ended before its time. */
export type EndReason =
  'logout' | 'reuse' | 'displaced' | 'role-changed' | 'deactivated' | 'signed-out' | 'password-reset' | 'erased';

/** Somebody who proved who they are. */
export type SignedInPerson = {
  readonly userId: string;
  readonly orgId: string;
  readonly name: string;
  readonly email: string;
  readonly role: Role;
  readonly profilePhotoUrl: string | null;
};

/** A session that has just begun or gone on: nothing of it is announced before the commit. */
export type OpenSession = {
  readonly sessionId: string;
  readonly refreshToken: string;
  readonly idleAt: Date;
  /** Sessions that had to make room. */
  readonly displaced: readonly string[];
};

/** sessions: begins them. */
export const Sessions = Symbol('Sessions');
export type Sessions = {
  endAllOf(person: { orgId: string; userId: string }, reason: EndReason, at: Date): Promise<void>;
  /** Ends them inside the transaction of what ends them; what it answers is for `announceEnds`, after the commit. */
  endAllWithin(
    tx: Tx,
    person: { orgId: string; userId: string },
    reason: EndReason,
    at: Date,
  ): Promise<readonly string[]>;
  /** Makes the tokens of ended sessions worthless everywhere at once. Never throws. */
  announceEnds(sessionIds: readonly string[]): Promise<void>;
  /** Inside the transaction that proves the person. */
  open(
    tx: Tx,
    person: { orgId: string; userId: string },
    userAgent: string | undefined,
    at: Date,
  ): Promise<OpenSession>;
  /** After the commit: announces the session, sets the cookie, issues the token. */
  welcome(session: OpenSession, person: SignedInPerson, answer: HeaderSink, at: Date): Promise<SessionAnswer>;
};

type Addressee = { readonly to: string; readonly name: string };

/** A mail that tells somebody what happened, and when. */
export type Notice = Addressee & { readonly at: Date } & (
    | { readonly about: 'password-changed' | 'address-changed' | 'account-erased' }
    | { readonly about: 'export-ready'; readonly until: Date }
  );

/** A mail with a link that is worth an account: it is written nowhere. */
export type ResetMail = Addressee & {
  readonly about: 'password-reset';
  readonly organization: string;
  readonly token: string;
};

/** mail: letters to people. */
export const Mailing = Symbol('Mailing');
export type Mailing = {
  /**
   * Inside the transaction of what the mail tells: it leaves within seconds of the commit, and not at all without one. While
   * the mail server or Redis is away it waits.
   */
  send(tx: Tx, orgId: string, notice: Notice): Promise<void>;
  /** Hands a mail to the mail server now. Throws when that is away, so call it where somebody will try again. */
  deliver(mail: ResetMail): Promise<void>;
};
