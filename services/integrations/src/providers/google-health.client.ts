import { z } from 'zod';
import type { IntegrationsEnv } from '../env.ts';
import {
  dataPointSchema,
  dataPointsSchema,
  googleIdentitySchema,
  googleTokensSchema,
  noticesOfGoogle,
  pageOfGoogle,
  workoutOfGoogle,
} from './google-health-shapes.ts';
import type { GoogleSignatures } from './google-signatures.client.ts';
import { bearer, Gone, ifUnknown, isSame, jsonIn, type Outbound, refusedIfGone } from './outbound.client.ts';
import type { Notice, Provider, Tokens, WebhookRequest, Workout, WorkoutPage } from './provider.ts';
import { ProviderFailure } from './provider.ts';

/** More are not given of exercises. */
const pageSize = 25;
const dayMilliseconds = 86_400_000;
const exercises = '/users/me/dataTypes/exercise/dataPoints';
/** The documentation names the first, deliveries bring the second. */
const signatureHeaders = ['google-health-api-signature', 'x-healthapi-signature'];

/** Fitbit's workouts, which Google tells since Fitbit's own API was switched off (D22). */
export class GoogleHealth implements Provider {
  readonly name = 'fitbit';
  readonly audience = 'organisation';
  readonly isSetUp: boolean;
  private readonly app: { client_id: string; client_secret: string };
  private readonly scopes: readonly string[];

  constructor(
    private readonly env: IntegrationsEnv,
    private readonly outbound: Outbound,
    private readonly signatures: GoogleSignatures,
  ) {
    const { GOOGLE_HEALTH_CLIENT_ID: client_id = '', GOOGLE_HEALTH_CLIENT_SECRET: client_secret = '' } = env;
    this.app = { client_id, client_secret };
    this.isSetUp = client_id !== '' && client_secret !== '';
    this.scopes = env.GOOGLE_HEALTH_SCOPES.split(' ');
  }

  authorizeUrl({ state, challenge, redirectUri }: { state: string; challenge: string; redirectUri: string }): string {
    const url = new URL(this.env.GOOGLE_HEALTH_AUTHORIZE_URL);
    const asked = {
      client_id: this.app.client_id,
      redirect_uri: redirectUri,
      response_type: 'code',
      state,
      scope: this.scopes.join(' '),
      code_challenge: challenge,
      code_challenge_method: 'S256',
      // Without these no refresh token comes the second time.
      access_type: 'offline',
      prompt: 'consent',
    };
    for (const [name, value] of Object.entries(asked)) url.searchParams.set(name, value);
    return url.href;
  }

  async exchange({ code, verifier, redirectUri }: { code: string; verifier: string; redirectUri: string }) {
    const asked = { grant_type: 'authorization_code', code, code_verifier: verifier, redirect_uri: redirectUri };
    const answer = await this.token(asked);
    const { refresh_token: refreshToken } = answer;
    if (refreshToken === undefined) throw new ProviderFailure('unreadable', 'Google gave no refresh token');
    const tokens = tokensOf(answer, refreshToken);
    try {
      if (!this.scopes.every((scope) => tokens.scopes.includes(scope)))
        throw new ProviderFailure('scope', 'the activities were unticked');
      const { healthUserId } = await this.get('/users/me/identity', tokens.accessToken, googleIdentitySchema);
      return { tokens, providerUserId: healthUserId };
    } catch (error) {
      // What nobody will use is given back.
      await this.revoke(tokens).catch(() => undefined);
      throw error instanceof Gone ? new ProviderFailure('refused', 'Google Health does not know this person') : error;
    }
  }

  async refresh(refreshToken: string): Promise<Tokens> {
    const asked = { grant_type: 'refresh_token', refresh_token: refreshToken };
    return tokensOf(await this.outbound.countFailedRenewal(this.token(asked)), refreshToken);
  }

  async revoke({ refreshToken }: { refreshToken: string }): Promise<void> {
    const url = `${this.env.GOOGLE_HEALTH_OAUTH_URL}/revoke`;
    const call = { url, form: { token: refreshToken }, schema: z.unknown(), whyOf: blameFor };
    await this.outbound.ask({ method: 'POST', ...call }).catch(ifUnknown);
  }

  async list(
    accessToken: string,
    { from, to, cursor }: { from: Date; to: Date; cursor?: string },
  ): Promise<WorkoutPage> {
    // Google filters by local time; zones are a day apart at most.
    const day = (date: Date, days: number) =>
      new Date(date.getTime() + days * dayMilliseconds).toISOString().slice(0, 10);
    const since = `exercise.interval.civil_start_time >= "${day(from, -1)}"`;
    const asked = new URLSearchParams({
      filter: `${since} AND exercise.interval.civil_start_time < "${day(to, 2)}"`,
      pageSize: String(pageSize),
      ...(cursor !== undefined && { pageToken: cursor }),
    });
    const answer = await this.get(`${exercises}?${asked}`, accessToken, dataPointsSchema).catch(refusedIfGone);
    return pageOfGoogle(answer, { from, to });
  }

  async read(accessToken: string, externalId: string): Promise<Workout | undefined> {
    try {
      const path = `${exercises}/${encodeURIComponent(externalId)}`;
      return workoutOfGoogle(await this.get(path, accessToken, dataPointSchema));
    } catch (error) {
      if (error instanceof Gone) return undefined;
      throw error;
    }
  }

  /** Both: whoever learns the one that travels with each delivery still cannot sign. */
  async verify({ headers, body }: WebhookRequest): Promise<boolean> {
    const { GOOGLE_HEALTH_WEBHOOK_SECRET: expected } = this.env;
    const shown = headers['authorization'];
    if (expected === undefined || typeof shown !== 'string' || !isSame(shown, expected)) return false;
    const signature = signatureHeaders.map((name) => headers[name]).find((value) => typeof value === 'string');
    return typeof signature === 'string' && this.signatures.isSigned(body, signature);
  }

  notices(body: Buffer): readonly Notice[] {
    return noticesOfGoogle(jsonIn(body), new Date());
  }

  private token(form: Record<string, string>) {
    const url = `${this.env.GOOGLE_HEALTH_OAUTH_URL}/token`;
    const call = { url, form: { ...this.app, ...form }, schema: googleTokensSchema, whyOf: blameFor };
    return this.outbound.ask({ method: 'POST', ...call }).catch(refusedIfGone);
  }

  private get<Schema extends z.ZodType>(path: string, accessToken: string, schema: Schema) {
    return this.outbound.ask({
      url: `${this.env.GOOGLE_HEALTH_API_URL}${path}`,
      headers: bearer(accessToken),
      schema,
    });
  }
}

const faultSchema = z.object({ error: z.string() });

/** A wrong secret of ours is not for members to mend, so that it disconnects nobody. */
function blameFor(status: number, body: unknown) {
  if (status !== 400 && status !== 401) return undefined;
  const { data } = faultSchema.safeParse(body);
  return data && ['invalid_client', 'unauthorized_client', 'redirect_uri_mismatch'].includes(data.error)
    ? 'refused'
    : 'reconnect';
}

const tokensOf = (answer: z.infer<typeof googleTokensSchema>, refreshToken: string): Tokens => ({
  accessToken: answer.access_token,
  // Google's does not rotate; one that does come takes the place of the old one.
  refreshToken: answer.refresh_token ?? refreshToken,
  expiresAt: new Date(Date.now() + answer.expires_in * 1_000),
  scopes: answer.scope.split(' ').filter((scope) => scope !== ''),
});
