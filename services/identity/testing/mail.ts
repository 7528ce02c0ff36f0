import { eventually } from '@caravan/event-store/testing/eventually';
import type { MailServer, ReceivedMail } from '@caravan/service-kit/testing/mail-server';
import type { Answer, Visitor } from './visitor.ts';

/** The newest mail to an address whose subject contains some words, as soon as it is there. */
export function mailTo({ mails }: MailServer, address: string, subject = ''): Promise<ReceivedMail> {
  return eventually(() => {
    const found = mails.find((mail) => mail.to.includes(address.toLowerCase()) && mail.subject.includes(subject));
    if (!found) throw new Error(`No mail to ${address}`);
    return found;
  });
}

/** The mails to an address with a link to set a new password, newest first. */
export function resetMailsTo({ mails }: MailServer, address: string): ReceivedMail[] {
  return mails.filter(({ to, subject }) => to.includes(address) && subject === 'Set a new password');
}

/** Opens the link that was mailed to an address to confirm it, as soon as it is there. */
export async function confirm(server: MailServer, visitor: Visitor, address: string): Promise<Answer> {
  const mail = await mailTo(server, address, 'Confirm your e-mail address');
  return visitor.post('/api/email/confirm', { token: tokenIn(mail) });
}

/** The token that a mailed link carries. */
export function tokenIn(mail: ReceivedMail | undefined): string {
  return new URL(mail?.links[0] ?? '').searchParams.get('token') ?? '';
}
