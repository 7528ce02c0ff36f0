import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ownFolder } from '../own-folder.ts';

export function gatewayBefore(upstream: string, redis: string): NodeJS.ProcessEnv {
  const webRoot = ownFolder('web');
  writeFileSync(join(webRoot, 'index.html'), '<!doctype html>');
  writeFileSync(join(webRoot, 'csp.json'), '{"scriptHashes":[]}');
  const names = ['IDENTITY_URL', 'ACTIVITY_URL', 'SCORING_URL', 'SOCIAL_URL', 'INTEGRATIONS_URL'];
  return {
    ...Object.fromEntries(names.map((name) => [name, upstream])),
    PORT: '0',
    S3_ENDPOINT: upstream,
    S3_BUCKET: 'bench',
    REDIS_URL: redis,
    REDIS_PREFIX: 'bench:',
    JWT_ISSUER: 'https://bench.example',
    JWT_AUDIENCE: 'bench',
    JWKS_URL: `${upstream}/jwks`,
    SERVICE_CREDENTIAL: 'credential-of-a-bench-without-services',
    PUBLIC_URL: 'http://127.0.0.1',
    WEB_ROOT: webRoot,
    LIMIT_PER_ADDRESS_PER_MINUTE: '1000000000',
    LOG_LEVEL: 'silent',
  };
}
