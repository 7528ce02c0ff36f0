import { consent } from '../consent.ts';
import type { DeliveryOptions } from '../deliveries.ts';
import type { Grant } from '../grants.ts';
import { page } from '../pages.ts';
import { Platform, type PlatformOptions } from '../platform.ts';
import { type Answer, type Asked, bearerOf, fieldsOf } from '../simulator.ts';
import { lately, type SimulatedWorkout } from '../workouts.ts';
import { SigningKeys } from './keys.ts';
import { apiFault, dataPointJson, noticeJson, oauthFault } from './shapes.ts';

export type GoogleHealthOptions = PlatformOptions & {
  /** Told of changes from the start, without asking it first. */
  readonly subscriber?: Subscriber;
};
type Subscriber = { readonly url: string; readonly secret: string };

const scope = 'https://www.googleapis.com/auth/googlehealth.activity_and_fitness.readonly';
const scopes = [{ name: scope, words: 'see your Fitbit activity and exercise data' }];
const mostPerPage = 25;
const exercises = /^\/v4\/users\/me\/dataTypes\/exercise\/dataPoints(?:\/([\w-]+))?$/;
/** Fitbit's own API, which was switched off. */
const ofFitbit = /^\/(1|1\.2|oauth2)\//;

/** The Google Health API v4 and Google's OAuth, as far as Caravan asks them (https://developers.google.com/health). */
export const startGoogleHealth = (options: GoogleHealthOptions = {}): Promise<GoogleHealthSimulator> =>
  new GoogleHealthSimulator(options).start(options);

export class GoogleHealthSimulator extends Platform {
  readonly keys = new SigningKeys();
  /** The documentation names the other one, deliveries bring this one. */
  signatureHeader: 'x-healthapi-signature' | 'google-health-api-signature' = 'x-healthapi-signature';
  subscriber: Subscriber | undefined;

  constructor(options: GoogleHealthOptions) {
    super(
      {
        name: 'google-health',
        accessSeconds: 3_600,
        isRotating: false,
        attempts: 8,
        idOf: (nth) => String(6_400_000_000_000 + nth),
        isTaken: (status) => status === 204,
      },
      options,
    );
    this.subscriber = options.subscriber;
  }

  /** The settings by which a service asks it. */
  get env(): Record<string, string> {
    return {
      GOOGLE_HEALTH_CLIENT_ID: this.app.clientId,
      GOOGLE_HEALTH_CLIENT_SECRET: this.app.clientSecret,
      GOOGLE_HEALTH_AUTHORIZE_URL: `${this.url}/o/oauth2/v2/auth`,
      GOOGLE_HEALTH_OAUTH_URL: this.url,
      GOOGLE_HEALTH_API_URL: `${this.url}/v4`,
      GOOGLE_HEALTH_KEYS_URL: `${this.url}/googlehealthapi/webhooks/webhooks_public_keyset.json`,
      FITBIT_API_URL: this.url,
    };
  }

  deliver(options?: DeliveryOptions) {
    const { subscriber } = this;
    if (!subscriber) return Promise.resolve([]);
    const headers = (body: string) => ({
      authorization: subscriber.secret,
      [this.signatureHeader]: this.keys.signatureOf(body),
    });
    return this.deliveries.deliver({ url: subscriber.url, headers }, options);
  }

  protected answer(asked: Asked): Answer | Promise<Answer> {
    switch (`${asked.method} ${asked.path}`) {
      case 'HEAD /':
      case 'GET /':
        return {
          html: page('Google Health', 'Fitbit by Google', '<p>Caravan sends people here to ask them for access.</p>'),
        };
      case 'GET /o/oauth2/v2/auth':
      case 'POST /o/oauth2/v2/auth':
        return this.authorize(asked);
      case 'POST /token':
        return this.token(fieldsOf(asked));
      case 'POST /revoke':
        return this.grants.revoke(fieldsOf(asked)['token'] ?? '') === undefined
          ? oauthFault(400, 'invalid_token')
          : { json: {} };
      case 'GET /googlehealthapi/webhooks/webhooks_public_keyset.json':
        return { json: this.keys.keyset() };
      default:
        return this.api(asked);
    }
  }

  protected tell(workout: SimulatedWorkout, change: 'create' | 'update' | 'delete'): void {
    this.deliveries.note([noticeJson(workout, change === 'delete' ? 'DELETE' : 'UPSERT')]);
  }

  /** Google tells nobody; the next renewal is refused. */
  protected tellRevoked(): void {
    return;
  }

  private authorize(asked: Asked): Answer {
    return consent(asked, {
      name: 'Google Health',
      app: this.app,
      grants: this.grants,
      scopes,
      separator: ' ',
      begin: (person) => {
        if (this.workouts.of(person).length > 0) return;
        for (const workout of lately(person, ['WALKING', 'RUNNING', 'BIKING'], this.now())) this.workouts.add(workout);
      },
      refusalOf: (field) => oauthFault(400, field === 'client_id' ? 'invalid_client' : 'redirect_uri_mismatch'),
    });
  }

  private token(fields: Readonly<Record<string, string>>): Answer {
    const { client_id, client_secret, grant_type, code = '', refresh_token = '' } = fields;
    if (client_id !== this.app.clientId || client_secret !== this.app.clientSecret)
      return oauthFault(401, 'invalid_client');
    const redirectUri = fields['redirect_uri'] ?? '';
    const verifier = fields['code_verifier'];
    const isFirst = grant_type === 'authorization_code';
    const grant = isFirst ? this.grants.redeem(code, { redirectUri, verifier }) : this.grants.refresh(refresh_token);
    if (!grant) return oauthFault(400, 'invalid_grant');
    return {
      json: {
        access_token: grant.accessToken,
        expires_in: Math.floor((grant.expiresAt - this.now()) / 1_000),
        scope: grant.scopes.join(' '),
        token_type: 'Bearer',
        ...(isFirst && { refresh_token: grant.refreshToken }),
      },
    };
  }

  private api(asked: Asked): Answer | Promise<Answer> {
    const { path, method } = asked;
    if (ofFitbit.test(path))
      return { status: 410, json: { errors: [{ errorType: 'gone', message: 'Use the Google Health API' }] } };
    if (method === 'POST' && /^\/v4\/projects\/[\w-]+\/subscribers$/.test(path)) return this.subscribe(asked);
    if (!path.startsWith('/v4/users/me/')) return apiFault(404, 'NOT_FOUND');
    const grant = this.grants.by(bearerOf(asked));
    if (!grant) return apiFault(401, 'UNAUTHENTICATED');
    if (path === '/v4/users/me/identity')
      return { json: { name: 'users/me/identity', healthUserId: grant.person, legacyUserId: '' } };
    if (!grant.scopes.includes(scope)) return apiFault(403, 'PERMISSION_DENIED');
    return exercises.test(path) ? this.exercises(grant, asked) : apiFault(404, 'NOT_FOUND');
  }

  private exercises({ person }: Grant, { path, query }: Asked): Answer {
    const own = this.workouts.of(person);
    const id = exercises.exec(path)?.[1];
    if (id !== undefined) {
      const found = own.find((one) => one.id === id);
      return found ? { json: dataPointJson(found) } : apiFault(404, 'NOT_FOUND');
    }
    const filter =
      /^exercise\.interval\.civil_start_time >= "([^"]+)"(?: AND exercise\.interval\.civil_start_time < "([^"]+)")?$/;
    const [whole, from = '', to = '9999'] = filter.exec(query.get('filter') ?? '') ?? [];
    if (query.has('filter') && whole === undefined) return apiFault(400, 'INVALID_ARGUMENT');
    const within = own.filter(({ startedAt }) => startedAt >= from && startedAt < to);
    const size = Math.min(mostPerPage, Number(query.get('pageSize') ?? mostPerPage));
    const at = Number(query.get('pageToken') ?? 0);
    const isLast = at + size >= within.length;
    return {
      json: {
        dataPoints: within.slice(at, at + size).map(dataPointJson),
        ...(!isLast && { nextPageToken: String(at + size) }),
      },
    };
  }

  /** Google looks twice whether it is let in with the secret, and only then. */
  private async subscribe(asked: Asked): Promise<Answer> {
    const { endpointUri: url, endpointAuthorization } = JSON.parse(asked.body) as {
      endpointUri: string;
      endpointAuthorization: { secret: string };
    };
    const look = async (headers: Record<string, string>) => {
      const body = JSON.stringify({ type: 'verification' });
      const sent = { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body };
      return (await fetch(url, { ...sent, signal: AbortSignal.timeout(2_000) })).status;
    };
    const { secret } = endpointAuthorization;
    const statuses = [await look({ authorization: secret }), await look({})];
    const isGood = [200, 201].includes(statuses[0] ?? 0) && [401, 403].includes(statuses[1] ?? 0);
    if (!isGood) return apiFault(400, 'FAILED_PRECONDITION');
    this.subscriber = { url, secret };
    return { json: { name: 'subscribers/1', endpointUri: url } };
  }
}
