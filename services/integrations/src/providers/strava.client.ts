import { z } from 'zod';
import type { IntegrationsEnv } from '../env.ts';
import { bearer, Gone, ifUnknown, isSame, jsonIn, type Outbound, refusedIfGone } from './outbound.client.ts';
import type { Notice, Provider, Purpose, Tokens, WebhookRequest, Workout, WorkoutPage } from './provider.ts';
import { ProviderFailure } from './provider.ts';
import {
  noticesOfStrava,
  pageOfStrava,
  stravaActivitiesSchema,
  stravaActivitySchema,
  stravaDeliverySchema,
  stravaFirstTokensSchema,
  stravaTokensSchema,
  workoutOfStrava,
} from './strava-shapes.ts';

const pageSize = 100;

export class Strava implements Provider {
  readonly name = 'strava';
  readonly audience = 'owner';
  readonly isSetUp: boolean;
  private readonly app: { client_id: string; client_secret: string };
  private readonly needed: readonly string[];

  constructor(
    private readonly env: IntegrationsEnv,
    private readonly outbound: Outbound,
  ) {
    const { STRAVA_CLIENT_ID: client_id = '', STRAVA_CLIENT_SECRET: client_secret = '' } = env;
    this.app = { client_id, client_secret };
    this.isSetUp = client_id !== '' && client_secret !== '';
    this.needed = env.STRAVA_SCOPES.split(',').filter((scope) => scope.startsWith('activity:'));
  }

  /** Strava documents no PKCE: `state` is bound to the person and the browser instead. */
  authorizeUrl({ state, redirectUri }: { state: string; redirectUri: string }): string {
    const url = new URL(this.env.STRAVA_AUTHORIZE_URL);
    const asked = { client_id: this.app.client_id, redirect_uri: redirectUri, scope: this.env.STRAVA_SCOPES, state };
    // Whoever unticked something before is asked again.
    for (const [name, value] of Object.entries({ ...asked, response_type: 'code', approval_prompt: 'force' }))
      url.searchParams.set(name, value);
    return url.href;
  }

  async exchange({ code, scope = '' }: { code: string; scope?: string }) {
    const scopes = scope.split(/[ ,]+/).filter((one) => one !== '');
    if (!this.needed.every((one) => scopes.includes(one) || scopes.includes(`${one}_all`)))
      throw new ProviderFailure('scope', 'the activities were unticked');
    const answer = await this.token({ grant_type: 'authorization_code', code }, stravaFirstTokensSchema);
    return { tokens: tokensOf(answer, scopes), providerUserId: String(answer.athlete.id) };
  }

  async refresh(refreshToken: string): Promise<Tokens> {
    const asked = { grant_type: 'refresh_token', refresh_token: refreshToken };
    return tokensOf(await this.outbound.countFailedRenewal(this.token(asked, stravaTokensSchema)), this.needed);
  }

  async revoke({ refreshToken }: { refreshToken: string }): Promise<void> {
    const { client_id, client_secret } = this.app;
    const authorization = `Basic ${Buffer.from(`${client_id}:${client_secret}`).toString('base64')}`;
    const call = this.outbound.ask({
      method: 'POST',
      url: `${this.env.STRAVA_OAUTH_URL}/revoke`,
      form: { token: refreshToken },
      headers: { authorization },
      schema: z.unknown(),
      whyOf: blameFor,
    });
    await call.catch(ifUnknown);
  }

  async list(
    accessToken: string,
    { from, to, cursor = '1', purpose = 'background' }: { from: Date; to: Date; cursor?: string; purpose?: Purpose },
  ): Promise<WorkoutPage> {
    const url = new URL(`${this.env.STRAVA_API_URL}/athlete/activities`);
    // Both are exclusive.
    const asked = {
      after: Math.ceil(from.getTime() / 1_000) - 1,
      before: Math.ceil(to.getTime() / 1_000),
      page: Number.parseInt(cursor, 10),
      per_page: pageSize,
    };
    for (const [name, value] of Object.entries(asked)) url.searchParams.set(name, String(value));
    const answer = await this.outbound
      .ask({ url, headers: bearer(accessToken), schema: stravaActivitiesSchema, purpose })
      .catch(refusedIfGone);
    return pageOfStrava(answer, asked.page);
  }

  async read(accessToken: string, externalId: string, purpose: Purpose = 'background'): Promise<Workout | undefined> {
    if (!/^\d{1,16}$/.test(externalId)) return undefined;
    try {
      const url = `${this.env.STRAVA_API_URL}/activities/${externalId}`;
      return workoutOfStrava(
        await this.outbound.ask({ url, headers: bearer(accessToken), schema: stravaActivitySchema, purpose }),
      );
    } catch (error) {
      if (error instanceof Gone) return undefined;
      throw error;
    }
  }

  /** Strava signs nothing that it documents: the path is secret, the subscription ours, and what is told is fetched anew. */
  verify({ body, secret = '' }: WebhookRequest): Promise<boolean> {
    const { STRAVA_WEBHOOK_SECRET: expected, STRAVA_SUBSCRIPTION_ID: subscription } = this.env;
    if (expected === undefined || subscription === undefined || !isSame(secret, expected))
      return Promise.resolve(false);
    const { data: delivery } = stravaDeliverySchema.safeParse(jsonIn(body));
    return Promise.resolve(delivery !== undefined && String(delivery.subscription_id) === subscription);
  }

  notices(body: Buffer): readonly Notice[] {
    return noticesOfStrava(jsonIn(body));
  }

  private token<Schema extends z.ZodType>(form: Record<string, string>, schema: Schema) {
    const url = `${this.env.STRAVA_OAUTH_URL}/token`;
    return this.outbound
      .ask({ method: 'POST', url, form: { ...this.app, ...form }, schema, whyOf: blameFor })
      .catch(refusedIfGone);
  }
}

const faultsSchema = z.object({ errors: z.array(z.object({ resource: z.string() })) });

/** A wrong secret of ours is not for members to mend, so that it disconnects nobody. */
function blameFor(status: number, body: unknown) {
  if (status !== 400 && status !== 401) return undefined;
  const { data } = faultsSchema.safeParse(body);
  return data?.errors.some(({ resource }) => resource === 'Application') ? 'refused' : 'reconnect';
}

const tokensOf = (answer: z.infer<typeof stravaTokensSchema>, scopes: readonly string[]): Tokens => ({
  accessToken: answer.access_token,
  refreshToken: answer.refresh_token,
  expiresAt: new Date(answer.expires_at * 1_000),
  scopes,
});
