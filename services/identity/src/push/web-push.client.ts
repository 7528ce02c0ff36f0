import { Resolver } from 'node:dns/promises';
import { request as requestHttp } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP } from 'node:net';
import type { LookupFunction } from 'node:net';
import { Env } from '@caravan/service-kit/env';
import { isPublicAddress } from '@caravan/service-kit/network';
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

class PrivateAddress extends Error {
  override readonly name = 'PrivateAddress';
}

/** Speaks to push services, wherever browsers say they are: nothing inside is asked, and nobody is waited for for long. */
@Injectable()
export class WebPush {
  private readonly subject: string;
  // Names that nobody answers for would otherwise take the threads that hash passwords.
  private readonly resolver = new Resolver({ timeout: 2_000, tries: 2 });

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
        ...{ vapidDetails, TTL: ttlSeconds, topic, contentEncoding: 'aes128gcm' },
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
        ...{
          method: 'POST',
          headers,
          agent: false,
          signal: AbortSignal.timeout(this.env.PUSH_TIMEOUT_SECONDS * 1_000),
        },
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

  private readonly lookUp: LookupFunction = (hostname, options, done) => {
    const all = [this.resolver.resolve4(hostname), this.resolver.resolve6(hostname)];
    void Promise.allSettled(all).then((found) => {
      const addresses = found.flatMap((each) => (each.status === 'fulfilled' ? each.value : []));
      const [first] = addresses;
      if (first === undefined) return done(new Error(`Nobody is called ${hostname}`), '', 0);
      if (!addresses.every(isPublicAddress)) return done(new PrivateAddress(hostname), '', 0);
      if (!options.all) return done(null, first, isIP(first));
      return done(
        null,
        addresses.map((address) => ({ address, family: isIP(address) })),
      );
    });
  };
}
