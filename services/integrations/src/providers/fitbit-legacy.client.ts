import { createHmac } from 'node:crypto';
import { z } from 'zod';
import type { IntegrationsEnv } from '../env.ts';
import { bearer, Gone, isSame, jsonIn, type Outbound } from './outbound.client.ts';
import type { Notice, Provider, Tokens, WebhookRequest, Workout, WorkoutPage } from './provider.ts';
import { ProviderFailure } from './provider.ts';

const deliverySchema = z.array(
  z.object({ collectionType: z.string(), date: z.iso.date().optional(), ownerId: z.string().min(1).max(100) }),
);
const dayMilliseconds = 86_400_000;

/** Fitbit's own API, switched off on 2 November 2026: whoever connected by it must connect anew, by Google (D22). */
export class FitbitLegacy implements Provider {
  readonly name = 'fitbit';
  readonly audience = 'organisation';
  /** Nobody can connect by it. */
  readonly isSetUp = false;

  constructor(
    private readonly env: IntegrationsEnv,
    private readonly outbound: Outbound,
  ) {}

  authorizeUrl(): string {
    throw new ProviderFailure('refused', 'Fitbit takes no new connections');
  }

  exchange(): Promise<never> {
    return Promise.reject(new ProviderFailure('refused', 'Fitbit takes no new connections'));
  }

  refresh(): Promise<Tokens> {
    return this.outbound.countFailedRenewal(this.rejectAsEnded('/oauth2/token', undefined, 'POST'));
  }

  /** With the API its tokens have gone. */
  revoke(): Promise<void> {
    return Promise.resolve();
  }

  list(accessToken: string): Promise<WorkoutPage> {
    return this.rejectAsEnded('/1/user/-/activities/list.json', accessToken);
  }

  read(accessToken: string, externalId: string): Promise<Workout | undefined> {
    return this.rejectAsEnded(`/1/user/-/activities/${encodeURIComponent(externalId)}.json`, accessToken);
  }

  verify({ headers, body }: WebhookRequest): Promise<boolean> {
    const { FITBIT_CLIENT_SECRET: secret = '' } = this.env;
    const shown = headers['x-fitbit-signature'];
    if (secret === '' || typeof shown !== 'string') return Promise.resolve(false);
    return Promise.resolve(isSame(shown, createHmac('sha1', `${secret}&`).update(body).digest('base64')));
  }

  notices(body: Buffer): readonly Notice[] {
    const { data: all } = deliverySchema.safeParse(jsonIn(body));
    return (all ?? []).flatMap(({ collectionType, date, ownerId: providerUserId }): Notice[] => {
      const at = new Date();
      if (collectionType === 'userRevokedAccess') return [{ kind: 'revoked', providerUserId, at }];
      if (collectionType !== 'activities') return [];
      // The day of its owner, wherever that is.
      const from = date === undefined ? at.getTime() - dayMilliseconds : Date.parse(date) - dayMilliseconds;
      const span = { from: new Date(from), to: new Date(from + 3 * dayMilliseconds) };
      return [{ kind: 'changed', providerUserId, externalId: null, ...span, at }];
    });
  }

  /** Whatever it may answer one day, it is no longer how workouts come. */
  private async rejectAsEnded(path: string, accessToken?: string, method: 'GET' | 'POST' = 'GET'): Promise<never> {
    const headers = accessToken === undefined ? {} : bearer(accessToken);
    const call = { method, url: `${this.env.FITBIT_API_URL}${path}`, headers, schema: z.unknown() };
    await this.outbound.ask(call).catch((error: unknown) => {
      if (!(error instanceof Gone)) throw error;
    });
    throw new ProviderFailure('reconnect', 'Fitbit has moved to the Google Health API');
  }
}
