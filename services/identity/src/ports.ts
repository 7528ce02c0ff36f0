import type { SessionAnswer } from '@caravan/contracts/http/accounts';
import type { Role } from '@caravan/contracts/fields';
import type { Privacy } from '@caravan/contracts/http/people';
import type { Tx, Unit } from '@caravan/event-store/event-store';
import type { HeaderSink } from '@caravan/service-kit/request-context';
import type { ConfirmedAddress } from './confirmed-address.ts';

// What one feature offers to the others: the features themselves do not know each other. Each symbol is the injection
// token under which the feature's module provides it.

/** signing-keys: access tokens that every service accepts. */
export const AccessTokens = Symbol('AccessTokens');
export type AccessTokens = {
  /** A guest's token opens what is open to guests, and lives a few minutes: soon the person is one no more. */
  issue(
    holder: { userId: string; orgId: string; sessionId: string; role: Role; isGuest?: boolean },
    at: Date,
  ): Promise<string>;
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
  /** Puts a new member on hold until they are let in: nobody sees them, and they see nobody. */
  hold(unit: Unit, userId: string): Promise<void>;
  /** Takes the organisation's lock and lets a guest in. */
  admit(unit: Unit, userId: string): Promise<void>;
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
  | 'logout'
  | 'reuse'
  | 'displaced'
  | 'role-changed'
  | 'deactivated'
  | 'signed-out'
  | 'password-reset'
  | 'address-restored'
  | 'erased';

/** Somebody who proved who they are. */
export type SignedInPerson = {
  readonly userId: string;
  readonly orgId: string;
  readonly name: string;
  readonly email: string;
  readonly role: Role;
  readonly profilePhotoUrl: string | null;
  /** Joined by an invite for some domains and has not confirmed the address: in the organisation, but not let in. */
  readonly isGuest: boolean;
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
  issueSession(session: OpenSession, person: SignedInPerson, answer: HeaderSink, at: Date): Promise<SessionAnswer>;
};

/** addresses: whose mail address is whose. */
export const Addresses = Symbol('Addresses');
export type Addresses = {
  /**
   * Inside the transaction: a link to confirm an address will be mailed there. Throws `Rejected` (too-many) after three
   * mails in an hour.
   */
  ask(tx: Tx, person: { orgId: string; userId: string }, email: string, at: Date): Promise<void>;
  /** Another address is wanted: it is asked to confirm, the old one stays and is told. Throws `Rejected`. */
  want(tx: Tx, person: { orgId: string; userId: string }, email: string, at: Date): Promise<void>;
  /** For the operator: counts an address as confirmed without a mail. False when nobody has it. */
  vouchFor(email: string, at: Date): Promise<boolean>;
  /** Somebody has used a link that was mailed to their address, so it is theirs; a wish for another one is void. */
  prove(unit: Unit, userId: string): Promise<void>;
};

/** resetting: links to set a new password. */
export const PasswordLinks = Symbol('PasswordLinks');
export type PasswordLinks = {
  /** Mails a link to an address if it has an account; does the same for every address. */
  mailTo(email: string, at: Date): Promise<void>;
  /** The hash of a password that nobody knows: until one is set by a mailed link, none fits. */
  nobodysPassword(): Promise<string>;
};

/** A mail that tells somebody what happened, and when. An address that nobody has confirmed gets none. */
export type Notice = { readonly to: ConfirmedAddress; readonly name: string; readonly at: Date } & (
  { readonly about: 'password-changed' | 'account-erased' } | { readonly about: 'export-ready'; readonly until: Date }
);

/** A mail with a link that is worth an account: it is written nowhere. */
export type LinkMail = {
  readonly to: string;
  readonly name: string;
  readonly organization: string;
  readonly token: string;
} & (
  | { readonly about: 'password-reset' }
  /** `isOwn`: of somebody who signed up; otherwise of somebody who wants this address instead of theirs. */
  | { readonly about: 'confirm-address'; readonly isOwn: boolean }
  /** To the old address: another one is wanted, or has taken its place. */
  | { readonly about: 'undo-address'; readonly newEmail: string; readonly hasChanged: boolean }
);

/** mail: mails to people. */
export const Mailing = Symbol('Mailing');
export type Mailing = {
  /**
   * Inside the transaction of what the mail tells: it leaves within seconds of the commit, and not at all without one. While
   * the mail server or Redis is away it waits. Without a confirmed address there is nobody to tell.
   */
  send(tx: Tx, orgId: string, notice: ToWhomever<Notice>): Promise<void>;
  /** Hands a mail to the mail server now. Throws when that is away, so call it where somebody will try again. */
  deliver(mail: LinkMail): Promise<void>;
};
export type ToWhomever<Mail> = Mail extends Notice
  ? Omit<Mail, 'to'> & { readonly to: ConfirmedAddress | undefined }
  : never;
