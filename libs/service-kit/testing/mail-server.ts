import { once } from 'node:events';
import { buffer } from 'node:stream/consumers';
import { randomUUID } from '@caravan/contracts/testing/seeded';
import PostalMime, { type Address } from 'postal-mime';
import { SMTPServer, type SMTPServerDataStream } from 'smtp-server';

/** A mail as whoever reads it finds it. */
export type ReceivedMail = {
  readonly id: string;
  readonly from: string;
  /** The addresses it was sent to, in lower case. */
  readonly to: readonly string[];
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** By name in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Addresses of web pages in its text, in order. */
  readonly links: readonly string[];
  readonly receivedAt: string;
};

export type MailServer = {
  /** What SMTP_URL is set to. */
  readonly url: string;
  /** Newest first. */
  readonly mails: ReceivedMail[];
  readonly close: () => Promise<void>;
};

const largestMailBytes = 1_000_000;

/**
 * Takes every mail on a port (0: a free one), whoever it is for, and delivers none.
 * @param arrived called before a mail is acknowledged; a mail for which it throws is refused
 */
export async function startMailServer(
  port = 0,
  arrived: (mail: ReceivedMail) => void | Promise<void> = () => undefined,
  host = '127.0.0.1',
): Promise<MailServer> {
  const mails: ReceivedMail[] = [];
  const take = async (stream: SMTPServerDataStream, recipients: readonly string[]): Promise<void> => {
    const raw = await buffer(stream);
    if (stream.sizeExceeded) throw Object.assign(new Error('The mail is too large'), { responseCode: 552 });
    const mail = await readMail(raw, recipients);
    await arrived(mail);
    mails.unshift(mail);
  };
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    size: largestMailBytes,
    onAuth: ({ username }, _session, done) => done(null, { user: username ?? '' }),
    onData: (stream, { envelope }, done) => {
      const recipients = envelope.rcptTo.map(({ address }) => address.toLowerCase());
      take(stream, recipients).then(() => done(), done);
    },
  });
  // A client that hangs up in the middle is nobody's fault here.
  server.on('error', () => undefined);
  const listening = server.listen(port, host);
  await once(listening, 'listening');
  const address = listening.address();
  if (address === null || typeof address === 'string') throw new Error('The mail server has no port');
  return {
    url: `smtp://127.0.0.1:${address.port}`,
    mails,
    close: () => new Promise((closed) => server.close(() => closed())),
  };
}

async function readMail(raw: Buffer, recipients: readonly string[]): Promise<ReceivedMail> {
  const { from, subject = '', text = '', html = '', headers } = await PostalMime.parse(raw);
  return {
    id: randomUUID(),
    from: addressText(from),
    to: recipients,
    subject,
    text,
    html,
    headers: Object.fromEntries(headers.map(({ key, value }) => [key, value])),
    links: [...text.matchAll(/https?:\/\/[^\s<>"]+/g)].map(([link]) => link),
    receivedAt: new Date().toISOString(),
  };
}

function addressText(address: Address | undefined): string {
  if (address?.address === undefined) return '';
  return address.name === '' ? address.address : `${address.name} <${address.address}>`;
}
