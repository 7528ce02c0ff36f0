import { Rejected } from '@caravan/kernel/rejected';
import type { Log } from '@caravan/service-kit/telemetry/log';
import type { Metrics } from '@caravan/service-kit/telemetry/metrics';
import { networkOf } from '@caravan/service-kit/http/network';
import { logSecurityOnce, type SecurityKind } from '@caravan/service-kit/telemetry/security-log';
import { RefusedToken, type TokenFault } from './token-verifier.ts';

type Reason = TokenFault | 'session-ended';

/** Every page that stays open long enough shows one, so these are not alarming. */
const stale: ReadonlySet<Reason> = new Set<Reason>(['expired', 'session-ended']);

/**
 * Leaves a trace of refused tokens (S38): a counter of all of them, and a line of the security log a minute for each
 * network and reason. Calls without a token are only counted. Never the token itself.
 */
export class RefusedTokens {
  private readonly count: { inc(labels: { reason: Reason }): void };

  constructor(
    private readonly log: Log,
    metrics: Metrics,
  ) {
    const help = 'Calls that were refused for their access token, by what is wrong with it.';
    this.count = metrics.counter<'reason'>('caravan_refused_tokens_total', help, ['reason']);
  }

  note(refusal: unknown, address: string): void {
    const reason = reasonOf(refusal);
    if (reason === undefined) return;
    this.count.inc({ reason });
    if (reason === 'missing') return;
    const kind: SecurityKind = stale.has(reason) ? 'stale-token' : 'token-refused';
    logSecurityOnce(this.log, kind, `${networkOf(address)} ${reason}`, { ip: address, reason });
  }
}

function reasonOf(refusal: unknown): Reason | undefined {
  if (refusal instanceof RefusedToken) return refusal.fault;
  return refusal instanceof Rejected && refusal.code === 'auth/session-ended' ? 'session-ended' : undefined;
}
