import { createLog } from '@caravan/service-kit/telemetry/log';
import { Metrics } from '@caravan/service-kit/telemetry/metrics';
import { hearLog } from '@caravan/service-kit/testing/heard-log';
import { Rejected } from '@caravan/kernel/rejected';
import { expect, test } from 'vitest';
import { RefusedTokens } from './refused-tokens.ts';
import { RefusedToken } from './token-verifier.ts';

function refusedTokens() {
  const log = createLog({ service: 'test' });
  const metrics = new Metrics('test', { hasProcessMetrics: false });
  const heard = hearLog(log);
  const tokens = new RefusedTokens(log, metrics);
  const countRefused = async () =>
    [...(await metrics.registry.metrics()).matchAll(/caravan_refused_tokens_total\{reason="(.+?)",.*\} (\d+)/g)].map(
      ([, reason, count]) => `${reason} ${count}`,
    );
  return { tokens, lines: heard.lines, counted: countRefused };
}

test('[S38] forged tokens leave a line for each network and reason, and all of them are counted', async () => {
  const { tokens, lines, counted } = refusedTokens();
  const network = '2001:db8:1:1';
  for (let nth = 1; nth <= 50; nth += 1) tokens.note(new RefusedToken('bad-signature'), `${network}::${nth}`);
  tokens.note(new RefusedToken('unknown-key'), `${network}::1`);
  tokens.note(new RefusedToken('bad-signature'), `${network}1::1`);
  expect(lines()).toMatchObject([
    { level: 'warn', security: 'token-refused', reason: 'bad-signature', ip: `${network}::1` },
    { level: 'warn', security: 'token-refused', reason: 'unknown-key' },
    { level: 'warn', security: 'token-refused', reason: 'bad-signature', ip: `${network}1::1` },
  ]);
  expect(await counted()).toEqual(['bad-signature 51', 'unknown-key 1']);
});

test('[S38] a stale token is no alarm, a missing one is only counted, and other refusals are neither', async () => {
  const { tokens, lines, counted } = refusedTokens();
  const ip = '198.51.100.7';
  tokens.note(new RefusedToken('expired'), ip);
  tokens.note(new Rejected('auth/session-ended', 'unauthenticated', 'Your session has ended.'), ip);
  tokens.note(new RefusedToken('missing'), ip);
  tokens.note(new Rejected('email/unconfirmed', 'conflict', 'Please confirm.'), ip);
  expect(lines()).toMatchObject([
    { level: 'info', security: 'stale-token', reason: 'expired' },
    { level: 'info', security: 'stale-token', reason: 'session-ended' },
  ]);
  expect(await counted()).toEqual(['expired 1', 'session-ended 1', 'missing 1']);
});
