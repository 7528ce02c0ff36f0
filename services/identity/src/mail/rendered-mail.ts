import { shownAddress } from '@caravan/contracts/domain/text/email-address';
import { firstNameOf } from '@caravan/contracts/domain/text/first-name';
import { laidOut } from './mail-layout.ts';
import type { Draft, RenderedMail } from './mail-layout.ts';
import { nameInMail } from './words.ts';

declare const confirmed: unique symbol;

/** An address whose owner has opened a link that was mailed there: the only kind that notices are written to. */
export type ConfirmedAddress = string & { readonly [confirmed]: true };

export function confirmedAddressOf({
  email,
  emailConfirmedAt,
}: {
  readonly email: string;
  readonly emailConfirmedAt: Date | null;
}): ConfirmedAddress | undefined {
  return emailConfirmedAt === null ? undefined : (email as ConfirmedAddress);
}

/** Tells somebody what happened, and when. */
export type Notice = { readonly to: ConfirmedAddress; readonly name: string; readonly at: Date } & (
  | { readonly about: 'password-changed' | 'account-erased' }
  | { readonly about: 'export-ready'; readonly until: Date }
  | PlatformDisconnected
);

/** `platform`: as people call it. `why`: by its owner here, or at the platform. */
type PlatformDisconnected = {
  readonly about: 'platform-disconnected';
  readonly platform: string;
  readonly why: 'asked' | 'revoked';
  readonly areImportsRemoved: boolean;
};

/** Its link is worth an account: it is written nowhere. */
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

/** `publicUrl`: where people reach the product; every link starts with it. */
export type Sender = { readonly organization: string; readonly publicUrl: string };

/** Plain text, and the same as HTML that fetches nothing. */
export function renderMail(mail: Notice | LinkMail, sender: Sender): RenderedMail {
  return signMail(
    mail.name,
    sender,
    draftOf(mail, { ...sender, organization: nameInMail(sender.organization) || 'your organisation' }),
  );
}

/** As every mail begins and ends. */
export function signMail(name: string, { organization }: Sender, draft: Draft): RenderedMail {
  const greeting = `Hello ${nameInMail(firstNameOf(nameInMail(name))) || 'there'},`;
  const signature = `${nameInMail(organization) || 'your organisation'} on Caravan`;
  return laidOut(draft, { greeting, signature });
}

function draftOf(mail: Notice | LinkMail, { organization, publicUrl }: Sender): Draft {
  const account = `your account at ${organization}`;
  switch (mail.about) {
    case 'password-reset':
      return askedForLink(account, linkTo(publicUrl, 'reset-password', mail.token));
    case 'password-changed':
      return passwordChanged(account, instant(mail.at), `${publicUrl}/forgot-password`);
    case 'confirm-address':
      return confirmAddress(mail, organization, linkTo(publicUrl, 'confirm-email', mail.token));
    case 'undo-address':
      return undoAddress(mail, account, linkTo(publicUrl, 'undo-email', mail.token));
    case 'export-ready':
      return exportReady(organization, instant(mail.until), `${publicUrl}/settings`);
    case 'platform-disconnected':
      return platformDisconnected(mail, account, instant(mail.at), `${publicUrl}/settings`);
    case 'account-erased':
      return accountErased(account, instant(mail.at));
  }
}

function askedForLink(account: string, url: string): Draft {
  return {
    subject: 'Set a new password',
    before: [
      `Somebody, most likely you, asked to set a new password for ${account}.`,
      'This link works once, within 30 minutes:',
    ],
    link: { label: 'Set a new password', url },
    after: ['If it was not you, there is nothing to do: your password stays as it is.'],
  };
}

function passwordChanged(account: string, when: string, url: string): Draft {
  return {
    subject: 'Your password was changed',
    before: [
      `The password of ${account} was changed on ${when}, and every device was signed out.`,
      'If it was not you, set a new one at once:',
    ],
    link: { label: 'Set a new password', url },
    after: [],
  };
}

function confirmAddress({ isOwn }: { isOwn: boolean }, organization: string, url: string): Draft {
  const what = isOwn
    ? `signed up at ${organization} with this address.`
    : `wants to use this address for an account at ${organization}.`;
  return {
    subject: 'Confirm your e-mail address',
    before: [`Somebody, most likely you, ${what}`, 'This link confirms it once, within 24 hours:'],
    link: { label: 'Confirm this address', url },
    after: ['If it was not you, there is nothing to do: nothing else is mailed here.'],
  };
}

function undoAddress(
  { newEmail, hasChanged }: { newEmail: string; hasChanged: boolean },
  account: string,
  url: string,
): Draft {
  const next = veilAddress(newEmail);
  return {
    subject: hasChanged ? 'Your e-mail address was changed' : 'Your e-mail address is about to change',
    before: [
      hasChanged
        ? `The e-mail address of ${account} is now ${next}. This one no longer signs you in.`
        : `Somebody who knows your password wants ${account} to have another e-mail address, ${next}. Until it is confirmed, yours stays.`,
      'If it was not you, keep this address with this link, within 7 days:',
    ],
    link: { label: 'Keep this address', url },
    after: [
      'Doing so signs out every device, and a new password has to be set. If it was you, there is nothing to do.',
    ],
  };
}

function linkTo(publicUrl: string, page: string, token: string): string {
  return `${publicUrl}/${page}?token=${encodeURIComponent(token)}`;
}

/** Enough to recognise an address one knows; too little to write to it. */
function veilAddress(email: string): string {
  const [first = ''] = email;
  const shown = shownAddress(email);
  return `${first}…${shown.slice(shown.lastIndexOf('@'))}`;
}

function exportReady(organization: string, until: string, url: string): Draft {
  return {
    subject: 'Your data is ready',
    before: [
      `Everything Caravan holds about you at ${organization} is collected in one file.`,
      `You can download it in your settings until ${until}; then it is deleted.`,
    ],
    link: { label: 'Open your settings', url },
    after: [],
  };
}

function platformDisconnected(
  { platform, why, areImportsRemoved }: PlatformDisconnected,
  account: string,
  when: string,
  url: string,
): Draft {
  const how = why === 'asked' ? 'as you asked' : `as you ended it at ${platform}`;
  return {
    subject: `${platform} is disconnected`,
    before: [
      `${platform} was disconnected from ${account} on ${when}, ${how}.`,
      areImportsRemoved
        ? `Every activity that came from ${platform} is deleted here, and the miles it had earned are taken back.`
        : `The activities that came from ${platform} stay in your account; nothing more is fetched from there.`,
      'If it was not you, look at what is connected:',
    ],
    link: { label: 'Open your settings', url },
    after: [],
  };
}

function accountErased(account: string, when: string): Draft {
  return {
    subject: 'Your account is erased',
    before: [
      `As you asked, ${account} was erased on ${when}, with everything personal in it.`,
      'The miles you moved stay with your team, without your name. Thank you for every one of them.',
      'This is the last mail you get from us.',
    ],
    after: [],
  };
}

function instant(at: Date): string {
  const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });
  return `${format.format(at)} UTC`;
}
