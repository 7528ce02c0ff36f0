import type { FitnessProvider } from '@caravan/contracts/http/fitness';
import { Dependencies } from '@caravan/service-kit/process/dependency';
import { Env } from '@caravan/service-kit/process/env';
import { Metrics } from '@caravan/service-kit/telemetry/metrics';
import { Redis } from '@caravan/service-kit/storage/redis';
import { Inject, Injectable } from '@nestjs/common';
import type { IntegrationsEnv } from '../env.ts';
import { ProviderFigures } from './figures.ts';
import { FitbitLegacy } from './fitbit-legacy.client.ts';
import { GoogleHealth } from './google-health.client.ts';
import { GoogleSignatures } from './google-signatures.client.ts';
import { Outbound, type Resilience, usualResilience } from './outbound.client.ts';
import type { Provider } from './provider.ts';
import { Quota } from './quota.client.ts';
import { Strava } from './strava.client.ts';

/** The platforms of this instance, each behind its own breaker. */
@Injectable()
export class Providers {
  /** For accounts and deliveries from before Fitbit became Google's; nobody can connect by it. */
  readonly legacyFitbit: Provider;
  private readonly all: Readonly<Record<FitnessProvider, Provider>>;

  constructor(
    @Inject(Env) env: IntegrationsEnv,
    @Inject(Redis) redis: Redis,
    @Inject(Dependencies) dependencies: Dependencies,
    @Inject(Metrics) metrics: Metrics,
  ) {
    const figures = new ProviderFigures(metrics);
    const resilience: Resilience = {
      ...usualResilience,
      budgetMilliseconds: env.PROVIDER_TIMEOUT_SECONDS * 1_000,
    };
    const to = (name: string, quota?: Quota) =>
      new Outbound(name, resilience, { dependencies, figures, ...(quota && { quota }) });
    const quota = new Quota(redis, 'strava');
    figures.watchQuota('strava', () => quota.left());
    const signatures = new GoogleSignatures(env.GOOGLE_HEALTH_KEYS_URL, to('google-health-keys'));
    this.all = {
      strava: new Strava(env, to('strava', quota)),
      fitbit: new GoogleHealth(env, to('fitbit'), signatures),
    };
    this.legacyFitbit = new FitbitLegacy(env, to('fitbit-legacy'));
  }

  of(name: FitnessProvider): Provider {
    return this.all[name];
  }
}
