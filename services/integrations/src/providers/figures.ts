import type { Metrics } from '@caravan/service-kit/telemetry/metrics';
import type { FailureReason } from './provider.ts';

export type Outcome = 'answered' | FailureReason;
export type Windows = Readonly<Record<'fifteen-minutes' | 'day', number>>;

/** What an operator sees of a platform; whether its breaker is open stands in `caravan_breaker_state`. */
export class ProviderFigures {
  readonly calls;
  readonly refreshFailures;
  private readonly quotas = new Map<string, () => Promise<Windows | undefined>>();

  constructor(metrics: Metrics) {
    this.calls = metrics.counter<'provider' | 'outcome'>(
      'caravan_provider_calls_total',
      'Calls of a fitness platform by what came of them; busy: refused, or not asked since the quota is used up.',
      ['provider', 'outcome'],
    );
    this.refreshFailures = metrics.counter<'provider' | 'why'>(
      'caravan_provider_refresh_failures_total',
      'Tokens that a fitness platform did not renew; reconnect: their owner must connect anew.',
      ['provider', 'why'],
    );
    metrics.gauge({
      name: 'caravan_provider_quota_left',
      help: 'Calls that a fitness platform still takes of this app until the window ends.',
      labels: ['provider', 'window'],
      collect: (gauge) => {
        const asked = [...this.quotas].map(([provider, leftOf]) =>
          leftOf().then((windows) => {
            for (const [window, left] of Object.entries(windows ?? {})) gauge.set({ provider, window }, left);
          }),
        );
        return Promise.all(asked).then(() => undefined);
      },
    });
  }

  watchQuota(provider: string, left: () => Promise<Windows | undefined>): void {
    this.quotas.set(provider, left);
  }
}
