import { RemoteKeys } from '@caravan/auth/jwks';
import { RedisSessionCache } from '@caravan/auth/session-cache';
import { remoteSessions, SessionLiveness } from '@caravan/auth/session-liveness';
import { bearerOf, TokenVerifier } from '@caravan/auth/token-verifier';
import { createPool, tenantQuery } from '@caravan/event-store/postgres/connections';
import { BackgroundWork } from '@caravan/service-kit/telemetry/background-work';
import { Metrics } from '@caravan/service-kit/telemetry/metrics';
import { createRedis, createSubscriber } from '@caravan/service-kit/storage/redis';
import { ServiceCredential } from '@caravan/service-kit/http/service-credential';
import fastify from 'fastify';
import { decodeJwt } from 'jose';

// The floor of an authenticated read: the same token and session checks, the same query, a compiled schema.
const token = process.argv[2] ?? '';
const setting = (name: string) => process.env[name] ?? '';
const { iss = '', aud = '' } = decodeJwt(token);
const redis = { url: setting('REDIS_URL'), name: 'bench' };
const background = new BackgroundWork(new Metrics('bench'));
const verifier = new TokenVerifier(
  { issuer: iss, audience: String(aud) },
  new RemoteKeys(`${setting('IDENTITY_URL')}/.well-known/jwks.json`),
);
const sessions = new SessionLiveness(
  new RedisSessionCache(createRedis(redis), createSubscriber({ ...redis, background })),
  remoteSessions(setting('IDENTITY_URL'), new ServiceCredential(setting('SERVICE_CREDENTIAL'))),
);
await sessions.listen();
const pool = createPool(setting('DATABASE_URL'));

const activity = {
  type: 'object',
  properties: { id: { type: 'string' }, activityName: { type: 'string' }, usageCount: { type: 'number' } },
};
const app = fastify();
app.get(
  '/api/user-activities/frequent',
  { schema: { response: { 200: { type: 'array', items: activity } } } },
  async (request) => {
    const claims = await verifier.verify(bearerOf(request.headers.authorization) ?? '');
    await sessions.assertLive(claims.sid);
    const { rows } = await tenantQuery(
      pool,
      claims.org,
      `select activity_id as id, activity_name, usage_count from frequent_activities
       where org_id = $1 and user_id = $2 order by usage_count desc, used_at desc, activity_id limit 10`,
      [claims.org, claims.sub],
    );
    return rows;
  },
);
process.stdout.write(`${await app.listen({ port: 0, host: '127.0.0.1' })}\n`);
