import { isAtDomain, shownDomain } from '@caravan/contracts/domain/text/email-address';
import { Invalid } from '@caravan/kernel/problem';

export type Joining =
  | { readonly to: 'invited'; readonly code: string }
  | { readonly to: 'founded'; readonly name: string }
  | { readonly to: 'default'; readonly orgId: string };

export type JoiningSettings = { readonly defaultOrganisationId: string | undefined; readonly allowFounding: boolean };

type SignupWish = {
  readonly name: string;
  readonly invite?: string | undefined;
  readonly organizationName?: string | undefined;
};

/** By invite, a name to found, the instance's default or one's own (D1). Throws `Invalid` where none may be founded. */
export function joiningOf({ name, invite, organizationName }: SignupWish, settings: JoiningSettings): Joining {
  if (invite) return { to: 'invited', code: invite };
  if (organizationName !== undefined) {
    if (settings.allowFounding) return { to: 'founded', name: organizationName };
    const message = 'New organizations cannot be founded here';
    throw new Invalid([{ path: 'organizationName', message }], 'signup/founding-off');
  }
  if (settings.defaultOrganisationId !== undefined) return { to: 'default', orgId: settings.defaultOrganisationId };
  if (settings.allowFounding) return { to: 'founded', name: `${name}'s Organization` };
  throw new Invalid([{ path: 'invite', message: 'An invite is needed to sign up here' }], 'signup/invite-needed');
}

export type Invite = {
  readonly expiresAt: Date;
  readonly revokedAt: Date | null;
  readonly closedAt: Date | null;
  readonly maxUses: number | null;
  readonly uses: number;
  /** Lower case; empty: any. */
  readonly domains: readonly string[];
};

/** Throws `Invalid` that says what is wrong with an invite (D1). */
export function assertUsable(invite: Invite | undefined, email: string, at: Date): asserts invite is Invite {
  if (!invite) throw refusal('unknown', 'This invite is not known');
  assertOpen(invite, at);
  if (invite.domains.length > 0 && !isAtDomain(email, invite.domains)) {
    throw refusal('other-domain', `This invite is for addresses at ${invite.domains.map(shownDomain).join(', ')}`);
  }
}

/** Throws `Invalid` that says why an invite leads nowhere any more (D1). */
export function assertOpen(invite: Invite, at: Date): void {
  if (invite.closedAt) throw organisationClosed();
  if (invite.revokedAt) throw refusal('revoked', 'This invite has been withdrawn');
  if (invite.expiresAt <= at) throw refusal('expired', 'This invite has expired');
  if (invite.maxUses !== null && invite.uses >= invite.maxUses) throw usedUp();
}

export function organisationClosed(): Invalid {
  return refusal('organisation-closed', 'The organisation of this invite has been closed');
}

export function usedUp(): Invalid {
  return refusal('used-up', 'This invite has been used up');
}

function refusal(reason: string, message: string): Invalid {
  return new Invalid([{ path: 'invite', message }], `invite/${reason}`);
}
