import { randomUUID } from '@caravan/contracts/testing/seeded';
import { asPeer } from '@caravan/service-kit/testing/peer';

export type Answer = {
  readonly status: number;
  readonly body: Record<string, unknown>;
  readonly headers: Headers;
};

export const password = 'Caravan-2026!';
export const newEmail = () => `person-${randomUUID()}@caravan.test`;

/** Somebody at a browser, behind the gateway: keeps cookies and the token as the web app does. */
export class Visitor {
  cookie: string | undefined;
  /** What makes this browser a device that accounts know. */
  device: string | undefined;
  token: string | undefined;

  constructor(private readonly url: string) {}

  async call(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    const response = await fetch(`${this.url}${path}`, {
      method,
      headers: {
        ...asPeer,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(this.token !== undefined && { authorization: `Bearer ${this.token}` }),
        ...(this.cookies !== '' && { cookie: this.cookies }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    for (const [cookie = ''] of response.headers.getSetCookie().map((each) => each.split(';', 1)))
      this[/^(__Host-)?device=/.test(cookie) ? 'device' : 'cookie'] = cookie;
    const text = await response.text();
    return { status: response.status, body: text === '' ? {} : JSON.parse(text), headers: response.headers };
  }

  private get cookies(): string {
    return [this.cookie, this.device].filter((each) => each !== undefined).join('; ');
  }

  get(path: string, headers?: Record<string, string>): Promise<Answer> {
    return this.call('GET', path, undefined, headers);
  }

  post(path: string, body: unknown = {}, headers?: Record<string, string>): Promise<Answer> {
    return this.call('POST', path, body, headers);
  }

  /** Signs up with what is given and plausible values for the rest; keeps the token. */
  async signUp(fields: object = {}): Promise<Answer> {
    const answer = await this.post('/api/signup', { name: 'Maya Okafor', email: newEmail(), password, ...fields });
    if (answer.status === 200) this.token = String(answer.body['token']);
    return answer;
  }

  async login(email: string, secret = password): Promise<Answer> {
    const answer = await this.post('/api/login', { email, password: secret });
    if (answer.status === 200) this.token = String(answer.body['token']);
    return answer;
  }

  /** Another browser that holds a copy of the cookie. */
  copy(): Visitor {
    const copy = new Visitor(this.url);
    copy.cookie = this.cookie;
    return copy;
  }

  async refresh(headers: Record<string, string> = {}): Promise<Answer> {
    const kept = this.token;
    this.token = undefined;
    const answer = await this.post('/api/auth/refresh', {}, headers);
    this.token = answer.status === 200 ? String(answer.body['token']) : kept;
    return answer;
  }
}
