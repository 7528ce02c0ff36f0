import { consent } from '../consent.ts';
import type { DeliveryOptions } from '../deliveries.ts';
import type { Grant } from '../grants.ts';
import { page } from '../pages.ts';
import { type Change, Platform, type PlatformOptions } from '../platform.ts';
import { type Answer, type Asked, bearerOf, fieldsOf } from '../simulator.ts';
import { lately, type SimulatedWorkout } from '../workouts.ts';
import { Usage } from './limits.ts';
import { activityJson, eventJson, fault, tokenJson } from './shapes.ts';

export type StravaOptions = PlatformOptions & {
  /** Told of changes from the start, without asking it first. */
  readonly subscription?: Subscription;
};
type Subscription = { readonly url: string; readonly id: number };

const scopes = [
  { name: 'read', words: 'see your public profile (read)' },
  { name: 'activity:read', words: 'see your activities (activity:read)' },
  { name: 'activity:read_all', words: 'see your private activities (activity:read_all)' },
];
const mostPerPage = 200;

/** Strava, as far as Caravan asks it (https://developers.strava.com/docs). */
export const startStrava = (options: StravaOptions = {}): Promise<StravaSimulator> =>
  new StravaSimulator(options).start(options);

export class StravaSimulator extends Platform {
  readonly usage: Usage;
  subscription: Subscription | undefined;

  constructor(options: StravaOptions) {
    const nature = { name: 'strava', accessSeconds: 21_600, isRotating: true, attempts: 3 };
    super({ ...nature, idOf: (nth) => String(17_000_000_000 + nth), isTaken: (status) => status === 200 }, options);
    this.usage = new Usage(this.now);
    this.subscription = options.subscription;
  }

  /** The settings by which a service asks it. */
  get env(): Record<string, string> {
    return {
      STRAVA_CLIENT_ID: this.app.clientId,
      STRAVA_CLIENT_SECRET: this.app.clientSecret,
      STRAVA_AUTHORIZE_URL: `${this.url}/oauth/authorize`,
      STRAVA_OAUTH_URL: `${this.url}/oauth`,
      STRAVA_API_URL: `${this.url}/api/v3`,
    };
  }

  deliver(options?: DeliveryOptions) {
    const { subscription } = this;
    if (!subscription) return Promise.resolve([]);
    return this.deliveries.deliver({ url: subscription.url, headers: () => ({}) }, options);
  }

  protected answer(asked: Asked): Answer | Promise<Answer> {
    switch (`${asked.method} ${asked.path}`) {
      case 'HEAD /':
      case 'GET /':
        return { html: page('Strava', 'Strava', '<p>Caravan sends people here to ask them for access.</p>') };
      case 'GET /oauth/authorize':
      case 'POST /oauth/authorize':
        return this.authorize(asked);
      case 'POST /oauth/token':
        return this.token(fieldsOf(asked));
      case 'POST /oauth/revoke':
        return this.revokeToken(asked);
      case 'POST /api/v3/push_subscriptions':
        return this.subscribe(fieldsOf(asked));
      default:
        return asked.path.startsWith('/api/v3/') ? this.api(asked) : { status: 404, json: { message: 'Not Found' } };
    }
  }

  protected tell(workout: SimulatedWorkout, aspect: Change): void {
    const updates = aspect === 'update' ? { title: 'Messy', type: workout.type } : {};
    const event = { object: 'activity', id: workout.id, owner: workout.person, now: this.now() } as const;
    this.deliveries.note(eventJson(this.subscription?.id ?? 0, { ...event, aspect, updates }));
  }

  protected tellRevoked(person: string): void {
    const event = { object: 'athlete', id: person, owner: person, aspect: 'update', now: this.now() } as const;
    this.deliveries.note(eventJson(this.subscription?.id ?? 0, { ...event, updates: { authorized: 'false' } }));
  }

  private authorize(asked: Asked): Answer {
    return consent(asked, {
      name: 'Strava',
      app: this.app,
      grants: this.grants,
      scopes,
      separator: ',',
      begin: (person) => {
        if (this.workouts.of(person).length > 0) return;
        for (const workout of lately(person, ['Walk', 'Run', 'Ride'], this.now())) this.workouts.add(workout);
      },
      refusalOf: (field) => fault(400, 'Bad Request', ['Application', field, 'invalid']),
    });
  }

  private token(fields: Readonly<Record<string, string>>): Answer {
    const { client_id, client_secret, grant_type, code = '', refresh_token = '' } = fields;
    if (client_id !== this.app.clientId) return fault(400, 'Bad Request', ['Application', 'client_id', 'invalid']);
    if (client_secret !== this.app.clientSecret)
      return fault(401, 'Authorization Error', ['Application', '', 'invalid']);
    if (grant_type === 'refresh_token') {
      const grant = this.grants.refresh(refresh_token);
      return grant
        ? { json: tokenJson(grant, this.now()) }
        : fault(400, 'Bad Request', ['RefreshToken', 'refresh_token', 'invalid']);
    }
    const grant = this.grants.redeem(code, {});
    if (!grant) return fault(400, 'Bad Request', ['AuthorizationCode', 'code', 'invalid']);
    return { json: { ...tokenJson(grant, this.now()), athlete: { id: Number(grant.person), resource_state: 2 } } };
  }

  private revokeToken(asked: Asked): Answer {
    const expected = Buffer.from(`${this.app.clientId}:${this.app.clientSecret}`).toString('base64');
    if (asked.headers.authorization !== `Basic ${expected}`)
      return fault(401, 'Authorization Error', ['Application', '', 'invalid']);
    const person = this.grants.revoke(fieldsOf(asked)['token'] ?? '');
    if (person === undefined) return fault(400, 'Bad Request', ['AccessToken', 'token', 'invalid']);
    return { json: {} };
  }

  /** One subscription for an app; where it leads must answer within two seconds. */
  private async subscribe(fields: Readonly<Record<string, string>>): Promise<Answer> {
    const { client_id, client_secret, callback_url = '', verify_token = '' } = fields;
    const { clientId, clientSecret } = this.app;
    if (client_id !== clientId || client_secret !== clientSecret || this.subscription)
      return fault(400, 'Bad Request', ['PushSubscription', '', this.subscription ? 'already exists' : 'invalid']);
    const challenge = crypto.randomUUID();
    const asked = new URLSearchParams({
      'hub.mode': 'subscribe',
      'hub.challenge': challenge,
      'hub.verify_token': verify_token,
    });
    const answer = await fetch(`${callback_url}?${asked}`, { signal: AbortSignal.timeout(2_000) })
      .then(async (given) => (await given.json()) as Record<string, unknown>)
      .catch(() => undefined);
    if (answer?.['hub.challenge'] !== challenge)
      return fault(400, 'Bad Request', ['PushSubscription', 'callback url', 'not verifiable']);
    this.subscription = { url: callback_url, id: 1 };
    return { status: 201, json: { id: this.subscription.id } };
  }

  private api(asked: Asked): Answer {
    const { isRefused, headers } = this.usage.take();
    if (isRefused) return { ...fault(429, 'Rate Limit Exceeded', ['Application', 'rate limit', 'exceeded']), headers };
    const grant = this.grants.by(bearerOf(asked));
    const answer = grant
      ? this.activities(grant, asked)
      : fault(401, 'Authorization Error', ['Athlete', 'access_token', 'invalid']);
    return { ...answer, headers };
  }

  private activities({ person, scopes: allowed }: Grant, { path, query }: Asked): Answer {
    const seesAll = allowed.includes('activity:read_all');
    if (!seesAll && !allowed.includes('activity:read'))
      return fault(401, 'Authorization Error', ['AccessToken', 'activity:read_permission', 'missing']);
    const seen = this.workouts.of(person).filter(({ isPrivate }) => seesAll || !isPrivate);
    const [, id] = /^\/api\/v3\/activities\/(\d+)$/.exec(path) ?? [];
    if (id !== undefined) {
      const found = seen.find((one) => one.id === id);
      return found
        ? { json: activityJson(found, true) }
        : fault(404, 'Record Not Found', ['resource', 'path', 'invalid']);
    }
    if (path !== '/api/v3/athlete/activities') return { status: 404, json: { message: 'Not Found' } };
    const after = Number(query.get('after') ?? 0);
    const before = Number(query.get('before') ?? Infinity);
    const number = Number(query.get('page') ?? 1);
    const size = Math.min(mostPerPage, Number(query.get('per_page') ?? 30));
    const within = seen.filter(({ startedAt }) => {
      const seconds = Date.parse(startedAt) / 1_000;
      return seconds > after && seconds < before;
    });
    // With `after` the oldest come first.
    const ordered = query.has('after') ? within.toReversed() : within;
    return { json: ordered.slice((number - 1) * size, number * size).map((one) => activityJson(one, false)) };
  }
}
