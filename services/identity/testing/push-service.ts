import { createDecipheriv, createECDH, hkdfSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { randomBytes, randomUUID } from '@caravan/contracts/testing/seeded';
import { createLocalJWKSet, jwtVerify } from 'jose';

/** What arrived at a browser: decrypted, from a sender who proved who they are. */
export type ArrivedPush = {
  readonly payload: unknown;
  readonly ttlSeconds: number;
  readonly topic: string | undefined;
  readonly vapidKey: string;
  readonly subject: string | undefined;
};

/** A browser that has subscribed, as `PushSubscription.toJSON()` tells of it. */
export type TestBrowser = {
  readonly subscription: { endpoint: string; keys: { p256dh: string; auth: string } };
  readonly arrived: ArrivedPush[];
  /** How many messages came, taken or not. */
  asked: number;
  /** What the push service answers for it: 201 unless said otherwise; 'hang': nothing, ever. */
  answers: number | 'hang';
  retryAfterSeconds: number | undefined;
};

export type PushService = {
  readonly url: string;
  browser(): TestBrowser;
  close(): Promise<void>;
};

/** A push service as RFC 8030, 8188, 8291 and 8292 describe it; what does not fit is answered with 400. */
export async function startPushService(): Promise<PushService> {
  const browsers = new Map<string, { browser: TestBrowser; open: (body: Buffer) => unknown }>();
  const take = async (request: IncomingMessage, answer: ServerResponse): Promise<void> => {
    const body = await buffer(request);
    const known = browsers.get(request.url ?? '');
    if (!known || request.method !== 'POST') return void answer.writeHead(404).end();
    const { browser, open } = known;
    browser.asked += 1;
    if (browser.answers === 'hang') return;
    if (browser.answers !== 201) {
      const wait = browser.retryAfterSeconds;
      return void answer.writeHead(browser.answers, wait === undefined ? {} : { 'retry-after': String(wait) }).end();
    }
    try {
      browser.arrived.push({ payload: open(body), ...(await provenBy(request, origin())) });
      answer.writeHead(201, { location: `${origin()}/message/${randomUUID()}` }).end();
    } catch {
      answer.writeHead(400).end();
    }
  };
  const server = createServer((request, answer) => void take(request, answer));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = () => {
    const address = server.address();
    return `http://127.0.0.1:${address !== null && typeof address !== 'string' ? address.port : 0}`;
  };
  return {
    url: origin(),
    browser() {
      const path = `/push/${randomUUID()}`;
      const { keys, open } = receiver();
      const subscription = { endpoint: `${origin()}${path}`, keys };
      const browser: TestBrowser = {
        subscription,
        arrived: [],
        asked: 0,
        answers: 201,
        retryAfterSeconds: undefined,
      };
      browsers.set(path, { browser, open });
      return browser;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

/** RFC 8292: a token for this push service, signed with the key that comes with it, for a day at most. */
async function provenBy({ headers }: IncomingMessage, audience: string): Promise<Omit<ArrivedPush, 'payload'>> {
  const [, token = '', vapidKey = ''] = /^vapid t=([\w.-]+), ?k=([\w-]+)$/.exec(headers.authorization ?? '') ?? [];
  const point = Buffer.from(vapidKey, 'base64url');
  if (point.length !== 65 || headers['content-encoding'] !== 'aes128gcm') throw new Error('not as RFC 8291 says');
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url'));
  const keys = createLocalJWKSet({ keys: [{ kty: 'EC', crv: 'P-256', alg: 'ES256', ...(x && y && { x, y }) }] });
  const { payload } = await jwtVerify(token, keys, { audience, algorithms: ['ES256'] });
  if (payload.exp === undefined || payload.exp > Date.now() / 1_000 + 86_400) throw new Error('valid for too long');
  const ttlSeconds = Number(headers['ttl']);
  const topic = headers['topic']?.toString();
  if (!(ttlSeconds >= 0) || !/^[\w-]{0,32}$/.test(topic ?? '')) throw new Error('not as RFC 8030 says');
  return { ttlSeconds, topic, vapidKey, subject: payload.sub };
}

function receiver() {
  const ecdh = createECDH('prime256v1');
  const own = ecdh.generateKeys();
  const auth = randomBytes(16);
  const derive = (secret: Buffer, salt: Buffer, info: Buffer, bytes: number) =>
    Buffer.from(hkdfSync('sha256', secret, salt, info, bytes));
  /** RFC 8291: the header names salt and the sender's key for this one message. Throws for what was not meant for it. */
  const open = (body: Buffer): unknown => {
    const salt = body.subarray(0, 16);
    const sender = body.subarray(21, 21 + body.readUInt8(20));
    const info = Buffer.concat([Buffer.from('WebPush: info\0'), own, sender]);
    const secret = derive(ecdh.computeSecret(sender), auth, info, 32);
    const key = derive(secret, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16);
    const nonce = derive(secret, salt, Buffer.from('Content-Encoding: nonce\0'), 12);
    const sealed = body.subarray(21 + sender.length);
    const decipher = createDecipheriv('aes-128-gcm', key, nonce).setAuthTag(sealed.subarray(-16));
    const padded = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()]);
    return JSON.parse(padded.subarray(0, padded.lastIndexOf(2)).toString());
  };
  return { open, keys: { p256dh: own.toString('base64url'), auth: auth.toString('base64url') } };
}
