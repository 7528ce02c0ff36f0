import { expect, test } from 'vitest';
import { BadEnvironment, parseEnv, serviceEnvSchema } from './env.ts';

const good = {
  PORT: '4101',
  SERVICE_NAME: 'activity',
  DATABASE_URL: 'postgres://rw:pw@127.0.0.1:5432/caravan_activity',
  KAFKA_BROKERS: '127.0.0.1:9092, 127.0.0.1:9093',
  REDIS_URL: 'redis://127.0.0.1:6379',
  S3_ENDPOINT: 'http://127.0.0.1:9000',
  S3_BUCKET: 'caravan',
  S3_ACCESS_KEY: 'key',
  S3_SECRET_KEY: 'hush-hush',
  S3_REGION: 'us-east-1',
  JWT_ISSUER: 'https://caravan.test',
  JWT_AUDIENCE: 'caravan',
  JWKS_URL: 'http://127.0.0.1:4100/.well-known/jwks.json',
  IDENTITY_URL: 'http://127.0.0.1:4100',
  SERVICE_CREDENTIAL: 'credential-of-services-under-test',
  PHOTO_ADDRESS_KEY: 'key-of-photos-of-services-under-test',
  CURSOR_KEY: 'key-of-cursors-of-services-under-test',
  PUBLIC_URL: 'http://127.0.0.1:8080',
};

/** The lines that a person sees who starts a process with these variables. */
function complaints(source: Record<string, string | undefined>): string[] {
  try {
    parseEnv(serviceEnvSchema, source);
    return [];
  } catch (error) {
    if (!(error instanceof BadEnvironment)) throw error;
    return error.message.split('\n').slice(1);
  }
}

test('a complete environment is read with its types', () => {
  const env = parseEnv(serviceEnvSchema, good);
  expect(env).toMatchObject({ PORT: 4101, HOST: '127.0.0.1', LOG_LEVEL: 'info', TOPIC_PREFIX: '' });
  expect(env.KAFKA_BROKERS).toEqual(['127.0.0.1:9092', '127.0.0.1:9093']);
});

test('every missing or bad variable is named, all at once', () => {
  const { DATABASE_URL: _, ...rest } = good;
  expect(complaints({ ...rest, PORT: 'eighty', KAFKA_BROKERS: 'a:1,,b:2', LOG_LEVEL: 'loud' })).toEqual([
    expect.stringContaining('PORT: must be a port number'),
    expect.stringContaining('LOG_LEVEL: '),
    '  DATABASE_URL: is missing',
    expect.stringContaining('KAFKA_BROKERS: must be a list'),
  ]);
});

test('an empty variable counts as missing', () => {
  expect(complaints({ ...good, S3_SECRET_KEY: '' })).toEqual(['  S3_SECRET_KEY: is missing']);
});

test('an address with another protocol is refused, so that a swapped pair shows at the start', () => {
  expect(complaints({ ...good, REDIS_URL: good.DATABASE_URL })).toEqual([
    '  REDIS_URL: must be a URL that starts with redis:// or rediss://',
  ]);
});

test('complaints never show a value, which may be a secret', () => {
  expect(complaints({ ...good, DATABASE_URL: 'oops-my-password' }).join()).not.toContain('oops');
});

test('[D42] an S3 is any; of Amazon the one of a region, since addresses are signed for a host', () => {
  expect(complaints({ ...good, S3_ENDPOINT: 'https://s3.amazonaws.com' })).toEqual([
    '  S3_ENDPOINT: must name the region: https://s3.<region>.amazonaws.com',
  ]);
  expect(complaints({ ...good, S3_ENDPOINT: 'https://s3.eu-west-1.amazonaws.com', S3_PATH_STYLE: 'false' })).toEqual(
    [],
  );
});

test('no secret has a default', () => {
  const secrets = ['DATABASE_URL', 'S3_ACCESS_KEY', 'S3_SECRET_KEY', 'PHOTO_ADDRESS_KEY', 'CURSOR_KEY'];
  expect(complaints(Object.fromEntries(Object.entries(good).filter(([name]) => !secrets.includes(name))))).toEqual(
    secrets.map((name) => `  ${name}: is missing`),
  );
});
