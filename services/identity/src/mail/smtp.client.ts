import { Dependencies, Unanswered } from '@caravan/service-kit/process/dependency';
import type { Dependency } from '@caravan/service-kit/process/dependency';
import { Env } from '@caravan/service-kit/process/env';
import { Log } from '@caravan/service-kit/telemetry/log';
import { Inject, Injectable } from '@nestjs/common';
import type { OnApplicationShutdown } from '@nestjs/common';
import { createTransport } from 'nodemailer';
import type { IdentityEnv } from '../env.ts';
import type { RenderedMail } from './mail-layout.ts';
import { nameInMail } from './words.ts';

const timeoutMilliseconds = 10_000;
const probeAfterMilliseconds = 1_000;

/** Its name among the dependencies. */
export const mailServer = 'smtp';

/** Nobody's mail can leave now. */
export class MailServerAway extends Error {
  override readonly name = 'MailServerAway';
}

@Injectable()
export class Smtp implements OnApplicationShutdown {
  private readonly transport;
  private readonly server: Dependency;

  constructor(
    @Inject(Env) private readonly env: IdentityEnv,
    @Inject(Log) private readonly log: Log,
    @Inject(Dependencies) dependencies: Dependencies,
  ) {
    this.server = dependencies.of({
      name: mailServer,
      budgetMilliseconds: timeoutMilliseconds,
      isAway: isNoAnswer,
      probe: () => this.transport.verify(),
      probeAfterMilliseconds,
    });
    this.transport = createTransport({
      url: env.SMTP_URL,
      pool: true,
      maxConnections: 2,
      connectionTimeout: timeoutMilliseconds,
      greetingTimeout: timeoutMilliseconds,
      socketTimeout: timeoutMilliseconds,
      // A mail is what is in it: nothing of this machine or of the web can be drawn into one.
      disableFileAccess: true,
      disableUrlAccess: true,
    });
  }

  onApplicationShutdown(): void {
    this.transport.close();
  }

  /** A recipient refused for good counts as done. Throws when another attempt, under the same `id`, may help: `MailServerAway` when for nobody before. */
  async send(
    rendered: RenderedMail,
    recipient: { to: string; name: string },
    id: string,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<'sent' | 'refused'> {
    const { hostname } = new URL(this.env.PUBLIC_URL);
    try {
      const mail = {
        ...rendered,
        from: this.env.MAIL_FROM,
        to: { name: nameInMail(recipient.name), address: recipient.to },
        messageId: `<${id}@${hostname}>`,
        headers: { ...headers, 'auto-submitted': 'auto-generated' },
      };
      await this.server.call(() => this.transport.sendMail(mail));
      return 'sent';
    } catch (error) {
      return this.read(error);
    }
  }

  /** The library's own errors name the recipient, who does not belong into a log. */
  private read(error: unknown): 'refused' {
    const { code, responseCode, permanent, rejected } = error as {
      code?: string;
      responseCode?: number;
      permanent?: boolean;
      rejected?: string[];
    };
    if (permanent === true && rejected !== undefined && rejected.length > 0) {
      this.log.warn({ event: 'mail-refused', responseCode }, 'the mail server refuses a recipient for good');
      return 'refused';
    }
    const message = `The mail server took no mail: ${code ?? 'unknown'} ${responseCode ?? ''}`.trim();
    throw isNoAnswer(error) ? new MailServerAway(message, causeOf(error)) : new Error(message);
  }
}

/** The library's errors name the recipient, so only our own error is kept as the cause. */
const causeOf = (error: unknown) => (error instanceof Unanswered ? { cause: error } : undefined);

/** A server that refuses a mail has answered. */
function isNoAnswer(error: unknown): boolean {
  return (error as { responseCode?: number }).responseCode === undefined;
}
