import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { Rejected } from '@caravan/kernel/rejected';
import type { FastifyInstance, FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyRequest {
    /** The caller is a process of the instance: it shows the credential. */
    isPeer: boolean;
  }
}

export const credentialHeader = 'x-service-credential';

export const timeLeftHeader = 'x-time-left-milliseconds';

/** What only peers may say about a request (S39). */
const vouchedHeaders = [
  'forwarded',
  timeLeftHeader,
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-min-position',
  'x-real-ip',
];

export class ServiceCredential {
  readonly headers: Readonly<Record<string, string>>;
  private readonly digest: Buffer;

  constructor(credential: string) {
    this.headers = { [credentialHeader]: credential };
    this.digest = digestOf(credential);
  }

  isShownIn(headers: IncomingHttpHeaders): boolean {
    return this.is(headers[credentialHeader]);
  }

  /** Prometheus sends `Authorization: Bearer …` and in older versions no header of one's own. */
  isBearerIn({ authorization }: IncomingHttpHeaders): boolean {
    return this.is(/^Bearer (.+)$/i.exec(authorization ?? '')?.[1]);
  }

  /** In constant time: hashed first, since comparing needs equal lengths. */
  private is(shown: string | string[] | undefined): boolean {
    return typeof shown === 'string' && timingSafeEqual(digestOf(shown), this.digest);
  }
}

/** Who shows no credential has no `/internal/*` and no `/metrics`, and is not believed who the client is. */
export function tellPeersApart(fastify: FastifyInstance, credential: ServiceCredential): void {
  fastify.decorateRequest('isPeer', false);
  fastify.addHook('onRequest', (request, _reply, done) => {
    const { headers } = request.raw;
    const isPeer = credential.isShownIn(headers) || (isMetrics(request) && credential.isBearerIn(headers));
    Reflect.deleteProperty(headers, credentialHeader);
    request.isPeer = isPeer;
    if (isPeer) return done();
    for (const name of vouchedHeaders) Reflect.deleteProperty(headers, name);
    if (isInternal(request)) return done(refusedStranger());
    return done();
  });
}

const isMetrics = ({ routeOptions }: FastifyRequest) => routeOptions.url === '/metrics';
const isInternal = (request: FastifyRequest) =>
  isMetrics(request) || request.routeOptions.url?.startsWith('/internal/') === true;

const digestOf = (text: string) => createHash('sha256').update(text).digest();

const refusedStranger = () =>
  new Rejected(
    'auth/no-service-credential',
    'unauthenticated',
    `This is answered to the processes of the instance only, by their credential in ${credentialHeader}.`,
  );
