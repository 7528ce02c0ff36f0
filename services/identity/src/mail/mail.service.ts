import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { Tx } from '@caravan/event-store/core/event-store';
import { afterCommit } from '@caravan/event-store/postgres/connections';
import { Env } from '@caravan/service-kit/process/env';
import { Jobs } from '@caravan/service-kit/jobs/jobs';
import { Invalid } from '@caravan/kernel/problem';
import { Inject, Injectable } from '@nestjs/common';
import type { IdentityEnv } from '../env.ts';
import { sendMail } from './mails.job.ts';
import { insertMail } from './mails.store.ts';
import { renderNews, unsubscribeUrl } from './news-mail.ts';
import type { NewsMail } from './news-mail.ts';
import { renderMail } from './rendered-mail.ts';
import type { ConfirmedAddress, LinkMail, Notice } from './rendered-mail.ts';
import { Smtp } from './smtp.client.ts';

/** Without a confirmed address there is nobody to tell. */
type ToWhomever<Mail> = Mail extends Notice ? Omit<Mail, 'to'> & { readonly to: ConfirmedAddress | undefined } : never;

@Injectable()
export class MailService {
  constructor(
    @Inject(Jobs) private readonly jobs: Jobs,
    @Inject(Smtp) private readonly smtp: Smtp,
    @Inject(Env) private readonly env: IdentityEnv,
  ) {}

  /** Inside the transaction of what it tells. While mail server or Redis are away it waits. */
  async send(tx: Tx, orgId: string, { to, ...rest }: ToWhomever<Notice>): Promise<void> {
    if (to === undefined) return;
    const mailId = await insertMail(tx, orgId, to, rest);
    afterCommit(tx, () => void this.jobs.enqueueOrKeep(sendMail, { orgId, mailId }, { key: mailId }));
  }

  /** Throws when the mail server is away, so call it where somebody will try again. */
  async deliver(mail: LinkMail): Promise<void> {
    const rendered = renderMail(mail, { organization: mail.organization, publicUrl: this.env.PUBLIC_URL });
    await this.smtp.send(rendered, mail, randomUUID());
  }

  /** `id`: the same for the same news, so that a second copy can be told. Rejects when the mail server is away. */
  deliverNews(mail: NewsMail, organization: string, id: string): Promise<'sent' | 'refused'> {
    const { PUBLIC_URL: publicUrl } = this.env;
    const rendered = renderNews(mail, { organization, publicUrl });
    const unsubscribe = unsubscribeUrl(publicUrl, mail.unsubscribeToken);
    return this.smtp.send(rendered, mail, id, {
      'list-unsubscribe': `<${unsubscribe}>`,
      'list-unsubscribe-post': 'List-Unsubscribe=One-Click',
    });
  }
}

/** What a mailed link proves itself with: 256 bits. Stored is its hash. */
type MailedToken = { readonly text: string; readonly hash: Buffer };

export function newMailedToken(): MailedToken {
  const text = randomBytes(32).toString('base64url');
  return { text, hash: hashOfMailedToken(text) };
}

// 256 random bits need no slow hash.
export function hashOfMailedToken(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

const refusals = {
  unsubscribe: 'This link is not complete, or its account is gone. You can choose what you are told in your settings.',
  email: 'This link is invalid, was used already or has expired.',
  reset: 'This link is invalid or has expired. Please request a new one.',
};

/** The same for a link that never existed, was used, is too old or was followed by a newer one. */
export function invalidLink(kind: keyof typeof refusals): Invalid {
  return new Invalid([{ path: 'token', message: refusals[kind] }], `${kind}/invalid-link`);
}
