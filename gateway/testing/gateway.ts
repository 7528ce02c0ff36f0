import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomUUID } from '@caravan/contracts/testing/seeded';
import { signTestToken, testClaims, testKey, testRules } from '@caravan/auth/testing/tokens';
import { credentialHeader } from '@caravan/service-kit/http/service-credential';
import { testCredential } from '@caravan/service-kit/testing/peer';
import { testServers } from '@caravan/service-kit/testing/servers';
import type { GatewayEnv } from '../src/env.ts';
import { type Gateway, startGateway } from '../src/start.ts';

/** What the service behind the gateway was asked. */
export type Seen = { method: string; url: string; headers: IncomingMessage['headers']; body: string };

type CallOptions = Omit<RequestInit, 'headers'> & { as?: string; headers?: Record<string, string> };

/** A gateway before one service that stands in for all of them. */
export type GatewayUnderTest = {
  readonly gateway: Gateway;
  /** By which another one can stand beside it. */
  readonly env: GatewayEnv;
  readonly key: ReturnType<typeof testKey>;
  /** Before each of this gateway's Redis keys and channels. */
  readonly prefix: string;
  readonly seen: Seen[];
  /** Sessions about which identity cannot tell at the moment. */
  readonly silent: Set<string>;
  /** Sessions that identity was asked about. */
  readonly asked: string[];
  tokenFor(claims: object): Promise<string>;
  /** Asks as the usual person, or as the one whose token is given. */
  call(path: string, options?: CallOptions): Promise<Response>;
  readonly claims: ReturnType<typeof testClaims>;
  close(): Promise<void>;
};

export type Answering = (request: Seen, response: ServerResponse, earlier: readonly Seen[]) => void;

/** Starts a gateway on a free port; `answer` is what the service behind it says. */
export async function startGatewayUnderTest(
  answer: Answering,
  differing: Partial<GatewayEnv> = {},
  heartbeatMilliseconds?: number,
): Promise<GatewayUnderTest> {
  const key = testKey();
  const claims = testClaims();
  const prefix = `gw-${randomUUID()}:`;
  const seen = [] as Seen[];
  const asked = [] as string[];
  const silent = new Set<string>();
  const upstream = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const url = request.url ?? '';
      if (url === '/.well-known/jwks.json') return response.end(JSON.stringify({ keys: [key.publicJwk] }));
      const [, sessionId] = /^\/internal\/sessions\/(.+)$/.exec(url) ?? [];
      if (sessionId !== undefined) {
        if (request.headers[credentialHeader] !== testCredential) return response.writeHead(401).end();
        asked.push(sessionId);
        if (silent.has(sessionId)) return response.writeHead(503).end();
        return response.end(JSON.stringify({ state: 'live' }));
      }
      const { method = '', headers } = request;
      const received = { method, url, headers, body: Buffer.concat(chunks).toString() };
      // With it the gateway greets new connections, whatever it is asked.
      if (url !== '/health/live') seen.push(received);
      answer(received, response, seen);
      return undefined;
    });
  });
  await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`;
  const env = { ...envOf(url, prefix), ...differing };
  const gateway = await startGateway(env, heartbeatMilliseconds);
  const tokenFor = (own: object) => signTestToken(key, { ...claims, ...own });
  const token = await tokenFor({});
  const call = (path: string, { as = token, headers, ...options }: CallOptions = {}) =>
    fetch(`${gateway.url}${path}`, { ...options, headers: { authorization: `Bearer ${as}`, ...headers } });
  const close = async () => {
    await gateway.close();
    upstream.closeAllConnections();
    upstream.close();
    rmSync(env.WEB_ROOT, { recursive: true });
  };
  return { gateway, env, key, prefix, seen, silent, asked, tokenFor, call, claims, close };
}

function envOf(url: string, prefix: string): GatewayEnv {
  const webRoot = mkdtempSync(join(tmpdir(), 'web-'));
  writeFileSync(join(webRoot, 'index.html'), '<!doctype html><title>Caravan</title>');
  mkdirSync(join(webRoot, 'assets'));
  writeFileSync(join(webRoot, 'assets/app.js'), 'export {};');
  writeFileSync(join(webRoot, 'csp.json'), JSON.stringify({ scriptHashes: ['sha256-abc'] }));
  return {
    PORT: 0,
    HOST: '127.0.0.1',
    LOG_LEVEL: 'silent',
    IDENTITY_URL: url,
    ACTIVITY_URL: url,
    SCORING_URL: url,
    SOCIAL_URL: url,
    INTEGRATIONS_URL: 'http://127.0.0.1:1',
    REDIS_URL: testServers().redis,
    REDIS_PREFIX: prefix,
    JWT_ISSUER: testRules.issuer,
    JWT_AUDIENCE: testRules.audience,
    JWKS_URL: `${url}/.well-known/jwks.json`,
    SERVICE_CREDENTIAL: testCredential,
    PUBLIC_URL: 'http://127.0.0.1:8080',
    S3_ENDPOINT: testServers().s3.endpoint,
    S3_BUCKET: testServers().s3.bucket,
    S3_PATH_STYLE: true,
    WEB_ROOT: webRoot,
    LIMIT_PER_ADDRESS_PER_MINUTE: 300,
    LIMIT_PER_ACCOUNT_PER_MINUTE: 100,
    LIMIT_FILES_PER_ADDRESS_PER_MINUTE: 300,
    LIMIT_DELIVERIES_PER_ADDRESS_PER_MINUTE: 300,
    LIMIT_WRITES_FACTOR: 1,
    LIMIT_CONNECTIONS: 10_000,
    LIMIT_CONNECTIONS_PER_ADDRESS: 10_000,
    LIMIT_UNFINISHED_BODIES: 5_000,
    LIMIT_UNFINISHED_BODIES_PER_ADDRESS: 5_000,
    LIMIT_UNFINISHED_MEGABYTES: 64,
    TRUSTED_PROXIES: '',
  };
}
