import { RemoteKeys } from '@caravan/auth/jwks';
import { RedisSessionCache } from '@caravan/auth/session-cache';
import { remoteSessions, SessionLiveness } from '@caravan/auth/session-liveness';
import { bearerOf, TokenVerifier } from '@caravan/auth/token-verifier';
import { createPool, tenantQuery } from '@caravan/event-store/postgres';
import { createRedis, createSubscriber } from '@caravan/service-kit/redis';
import { ServiceCredential } from '@caravan/service-kit/service-credential';
import fastify from 'fastify';
import { decodeJwt } from 'jose';

// The floor of an authenticated read: the same token and session checks, the same query, a compiled schema.
const token = process.argv[2] ?? '';
const setting = (name: string) => process.env[name] ?? '';
const { iss = '', aud = '' } = decodeJwt(token);
const redis = { url: setting('REDIS_URL'), name: 'bench' };
const verifier = new TokenVerifier(
  { issuer: iss, audience: String(aud) },
  new RemoteKeys(`${setting('IDENTITY_URL')}/.well-known/jwks.json`),
);
const sessions = new SessionLiveness(
  new RedisSessionCache(createRedis(redis), createSubscriber(redis)),
  remoteSessions(setting('IDENTITY_URL'), new ServiceCredential(setting('SERVICE_CREDENTIAL'))),
);
await sessions.listen();
const pool = createPool(setting('DATABASE_URL'));

const account = {
  type: 'object',
  properties: {
    connected: { type: 'boolean' },
    athleteId: { type: ['string', 'null'] },
    userId: { type: ['string', 'null'] },
  },
};
const answer = {
  type: 'object',
  properties: { strava: account, fitbit: account, lastSyncDate: { type: ['string', 'null'] } },
};
const app = fastify();
app.get('/api/fitness/status', { schema: { response: { 200: answer } } }, async (request) => {
  const claims = await verifier.verify(bearerOf(request.headers.authorization) ?? '');
  await sessions.assertLive(claims.sid);
  const { rows } = await tenantQuery<{ provider: string; providerUserId: string }>(
    pool,
    claims.org,
    `select provider, provider_user_id as "providerUserId", last_synced_at as "lastSyncedAt"
       from provider_accounts where org_id = $1 and user_id = $2`,
    [claims.org, claims.sub],
  );
  const idAt = (name: string) => rows.find(({ provider }) => provider === name)?.providerUserId ?? null;
  return {
    strava: { connected: idAt('strava') !== null, athleteId: idAt('strava') },
    fitbit: { connected: idAt('fitbit') !== null, userId: idAt('fitbit') },
    lastSyncDate: null,
  };
});
process.stdout.write(`${await app.listen({ port: 0, host: '127.0.0.1' })}\n`);
