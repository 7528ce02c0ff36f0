import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { randomUUID } from '@caravan/contracts/testing/seeded';
import { credentialHeader } from '@caravan/service-kit/http/service-credential';
import { testCredential } from '@caravan/service-kit/testing/peer';
import { signTestToken, testClaims, testKey, type TestKey } from './tokens.ts';

/** A person whose requests a test makes. */
export type TestPerson = { readonly userId: string; readonly orgId: string };

/** Stands where services look for identity: its keys and its sessions, of which all live that are not ended. */
export type IdentityDouble = {
  /** Variables with which a service under test finds it. */
  readonly env: { readonly JWKS_URL: string; readonly IDENTITY_URL: string };
  readonly key: TestKey;
  /** A good access token; `claims` override what it says. */
  tokenFor(person: TestPerson, claims?: object): Promise<string>;
  endSession(sessionId: string): void;
  close(): Promise<void>;
};

/** Starts the double on a free port. */
export async function startIdentityDouble(): Promise<IdentityDouble> {
  const key = testKey();
  const ended = new Set<string>();
  const server = createServer((request, response) => {
    const isPeer = request.headers[credentialHeader] === testCredential;
    const path = request.url ?? '/';
    if (path === '/.well-known/jwks.json') return answer(response, { keys: [key.publicJwk] });
    const [, sessionId] = /^\/internal\/sessions\/([0-9a-f-]{36})$/.exec(path) ?? [];
    if (sessionId !== undefined && isPeer) return answer(response, { state: ended.has(sessionId) ? 'ended' : 'live' });
    response.writeHead(404).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    env: { JWKS_URL: `${url}/.well-known/jwks.json`, IDENTITY_URL: url },
    key,
    tokenFor: ({ userId, orgId }, claims = {}) =>
      signTestToken(key, testClaims({ sub: userId, org: orgId, sid: randomUUID(), ...claims })),
    endSession: (sessionId) => void ended.add(sessionId),
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function answer(response: ServerResponse, body: object): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
