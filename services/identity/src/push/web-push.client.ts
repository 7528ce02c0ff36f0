import { request as requestHttp } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import { Env } from '@caravan/service-kit/process/env';
import { PrivateAddress, publicLookup } from '@caravan/service-kit/http/public-lookup';
import { Inject, Injectable } from '@nestjs/common';
import webPush from 'web-push';
import type { RequestDetails } from 'web-push';
import type { IdentityEnv } from '../env.ts';
import { refusalOf, resultOf } from './endpoint.ts';
import type { PushResult } from './endpoint.ts';

export type PushKeys = { readonly publicKey: string; readonly privateKey: string };

export type Message = {
  readonly endpoint: string;
  readonly keys: { readonly p256dh: string; readonly auth: string };
  readonly payload: string;
  readonly ttlSeconds: number;
  /** A later message of the same one takes the place of what waits at the push service: 32 letters and digits at most. */
  readonly topic: string;
};

export type Sent = { readonly result: PushResult; readonly retryAfterSeconds?: number };

/** Speaks to push services, wherever browsers say they are: nothing inside is asked, and nobody is waited for for long. */
@Injectable()
export class WebPush {
  private readonly subject: string;
  private readonly lookUp = publicLookup();

  constructor(@Inject(Env) private readonly env: IdentityEnv) {
    this.subject = `mailto:${/<([^>]+)>$/.exec(env.MAIL_FROM)?.[1] ?? env.MAIL_FROM.trim()}`;
  }

  /** Never throws. */
  async send(message: Message, keys: PushKeys): Promise<Sent> {
    if (refusalOf(message.endpoint, this.env.PUSH_TO_PRIVATE_ADDRESSES) !== undefined) return { result: 'gone' };
    const request = this.requestOf(message, keys);
    if (!request) return { result: 'gone' };
    try {
      const { statusCode = 0, headers } = await this.post(message.endpoint, request);
      const wished = Number(headers['retry-after'] ?? Number.NaN);
      return { result: resultOf(statusCode), ...(wished > 0 && { retryAfterSeconds: wished }) };
    } catch (error) {
      // A name that leads inside leads there tomorrow, too.
      return { result: error instanceof PrivateAddress ? 'gone' : 'later' };
    }
  }

  /** Undefined for keys that are no point of the curve: nobody could read what is sealed for them. */
  private requestOf({ endpoint, keys: browser, payload, ttlSeconds, topic }: Message, keys: PushKeys) {
    const vapidDetails = { subject: this.subject, ...keys };
    try {
      return webPush.generateRequestDetails({ endpoint, keys: { ...browser } }, payload, {
        vapidDetails,
        TTL: ttlSeconds,
        topic,
        contentEncoding: 'aes128gcm',
      });
    } catch {
      return undefined;
    }
  }

  private post(endpoint: string, { headers, body }: RequestDetails): Promise<IncomingMessage> {
    const request = endpoint.startsWith('https:') ? requestHttps : requestHttp;
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    const call = request(
      endpoint,
      {
        method: 'POST',
        headers,
        agent: false,
        signal: AbortSignal.timeout(this.env.PUSH_TIMEOUT_SECONDS * 1_000),
        ...(!this.env.PUSH_TO_PRIVATE_ADDRESSES && { lookup: this.lookUp }),
      },
      (answer) => {
        resolve(answer);
        // Status and headers say it all; whatever else it has to say is not listened to.
        answer.destroy();
      },
    );
    call.on('error', reject);
    call.end(body);
    return promise;
  }
}
