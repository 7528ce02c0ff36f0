import { myDataPath } from '@caravan/contracts/http/my-data';
import { operations } from '@caravan/contracts/http/operations';
import type { Operation } from '@caravan/contracts/http/operations/operation';
import { describe, expect, test } from 'vitest';
import { cookiesOf, isRepeatable, openPathOf, routes } from './routes.ts';

const partsOf = (path: string) => path.split('/');
const isBelow = (path: string, prefix: string) =>
  partsOf(prefix).every((part, nth) => part === partsOf(path)[nth] || (part === '{}' && partsOf(path)[nth]));

const serviceOf = (path: string) =>
  routes
    .filter(({ prefix }) => isBelow(path, prefix))
    .toSorted((a, b) => partsOf(b.prefix).length - partsOf(a.prefix).length)[0]?.service;

const ofServices = Object.entries<Operation>(operations).filter(([, { service }]) => service !== 'gateway');

describe('the route table', () => {
  test.each(ofServices)('[7.1 D32] %s goes to the service that answers it', (_id, operation) => {
    expect(serviceOf(operation.path)).toBe(operation.service);
  });

  test('[D32] no prefix leads to a service that has no operation there', () => {
    const unused = routes.filter(({ prefix }) => !ofServices.some(([, { path }]) => isBelow(path, prefix)));
    expect(unused.map(({ prefix }) => prefix)).toEqual(['/.well-known/jwks.json']);
  });

  test('[S39 S40] what services answer to each other is behind no prefix', () => {
    for (const path of [myDataPath, '/internal/sessions/x', '/health/ready', '/metrics'])
      expect(serviceOf(path)).toBeUndefined();
  });

  test('[S09] only refreshing and logging out are sent a cookie', () => {
    const taking = Object.values<Operation>(operations)
      .map(({ method, path }) => ({ path, cookies: cookiesOf(method.toUpperCase(), path) }))
      .filter(({ cookies }) => cookies.includes('refresh'));
    expect(taking.map(({ path }) => path).toSorted()).toEqual(['/api/auth/refresh', '/api/logout']);
    expect(cookiesOf('GET', '/api/logout')).toEqual([]);
  });

  test('[S31] the cookie that binds a connection to its browser goes to where the browser comes back, and nowhere else', () => {
    const taking = Object.values<Operation>(operations).filter(({ method, path }) =>
      cookiesOf(method.toUpperCase(), path).includes('connect'),
    );
    expect(taking.map(({ path }) => path)).toEqual(['/api/fitness/{provider}/callback']);
    expect(cookiesOf('GET', '/api/fitness/strava/callback')).toEqual(['connect']);
  });

  test('[6.3] only what brings people in, and the public documents, work without a bearer token', () => {
    const open = Object.values<Operation>(operations).filter(
      ({ method, path }) => openPathOf(method.toUpperCase(), path) !== undefined,
    );
    expect(open.map(({ path }) => path).toSorted()).toEqual([
      '/api/auth/refresh',
      '/api/email/confirm',
      '/api/email/undo',
      '/api/fitness/{provider}/callback',
      '/api/forgot-password',
      '/api/invitations',
      '/api/login',
      '/api/logout',
      '/api/openapi.json',
      '/api/reset-password',
      '/api/signup',
      '/api/unsubscribe',
      '/api/webhooks/fitbit',
      '/api/webhooks/fitbit',
      '/api/webhooks/google-health',
      '/api/webhooks/strava/{secret}',
      '/api/webhooks/strava/{secret}',
      '/objects/photos/{photoId}/{size}.webp',
    ]);
    expect(openPathOf('GET', '/api/me')).toBeUndefined();
    expect(openPathOf('POST', '/api/login/x')).toBeUndefined();
  });
});

describe('a request whose connection broke', () => {
  const withKey = { 'idempotency-key': 'key' };

  test.each(Object.entries<Operation>(operations))(
    '[D38 S31] %s is sent again only if it stores nothing or its service knows its key',
    (_id, { method, path, isIdempotent, storesSomething }) => {
      const asked = [method.toUpperCase(), path.replaceAll(/\{\w+\}/g, 'x')] as const;
      const onlyReads = method === 'get' && storesSomething !== true;
      expect(isRepeatable(...asked, {})).toBe(onlyReads);
      expect(isRepeatable(...asked, withKey)).toBe(onlyReads || isIdempotent === true);
    },
  );
});
