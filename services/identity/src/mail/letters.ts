import type { Notice, ResetMail } from '../doors.ts';

/** A mail as it is sent. */
export type Letter = { readonly subject: string; readonly text: string; readonly html: string };

/** `publicUrl`: where people reach the product; every link starts with it. */
export type Sender = { readonly organization: string; readonly publicUrl: string };

type Draft = { readonly subject: string; readonly before: readonly string[]; readonly after: readonly string[] } & {
  readonly link?: { readonly label: string; readonly url: string };
};

/** Writes a mail: plain text, and the same as HTML that fetches nothing. */
export function letterOf(mail: Notice | ResetMail, sender: Sender): Letter {
  const { subject, before, link, after } = draftOf(mail, sender);
  const greeting = `Hello ${mail.name},`;
  const signature = `${sender.organization} on Caravan`;
  const text = [greeting, ...before, ...(link ? [link.url] : []), ...after, signature].join('\n\n');
  const paragraphs = [
    ...[greeting, ...before].map(paragraph),
    ...(link ? [anchor(link)] : []),
    ...after.map(paragraph),
    paragraph(signature),
  ];
  return { subject, text: `${text}\n`, html: document(subject, paragraphs) };
}

function draftOf(mail: Notice | ResetMail, { organization, publicUrl }: Sender): Draft {
  const account = `your account at ${organization}`;
  switch (mail.about) {
    case 'password-reset':
      return askedForLink(account, `${publicUrl}/reset-password?token=${encodeURIComponent(mail.token)}`);
    case 'password-changed':
      return passwordChanged(account, instant(mail.at), `${publicUrl}/forgot-password`);
    case 'address-changed':
      return addressChanged(account, instant(mail.at));
    case 'export-ready':
      return exportReady(organization, instant(mail.until), `${publicUrl}/settings`);
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

function addressChanged(account: string, when: string): Draft {
  return {
    subject: 'Your e-mail address was changed',
    before: [
      `The e-mail address of ${account} was changed on ${when}. This one no longer signs you in.`,
      'If it was not you, please tell an admin of your organisation at once.',
    ],
    after: [],
  };
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

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (sign) => escapes[sign] ?? sign);
}

function paragraph(text: string): string {
  return `<p style="margin:0 0 16px">${escaped(text)}</p>`;
}

function anchor({ label, url }: { label: string; url: string }): string {
  const look = 'display:inline-block;padding:12px 20px;border-radius:8px;background:#c2410c;color:#ffffff';
  // The address is also written out: not every program shows where a link leads.
  return `<p style="margin:0 0 8px"><a href="${escaped(url)}" style="${look}">${escaped(label)}</a></p>
<p style="margin:0 0 16px;font-size:13px;overflow-wrap:anywhere">${escaped(url)}</p>`;
}

function document(subject: string, paragraphs: readonly string[]): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="referrer" content="no-referrer"><title>${escaped(subject)}</title></head>
<body style="margin:0;padding:24px;font:16px/1.5 sans-serif"><div style="max-width:560px;margin:0 auto">
${paragraphs.join('\n')}
</div></body></html>
`;
}
