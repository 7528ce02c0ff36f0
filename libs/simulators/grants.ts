import { createHash, randomBytes } from 'node:crypto';

type Asked = {
  readonly person: string;
  readonly scopes: readonly string[];
  readonly redirectUri: string;
  readonly challenge?: string | undefined;
};
export type Grant = {
  readonly person: string;
  readonly scopes: readonly string[];
  accessToken: string;
  refreshToken: string;
  /** Milliseconds since 1970. */
  expiresAt: number;
};
type Rules = {
  readonly accessSeconds: number;
  /** A new refresh token with every renewal, and the same access token while it has an hour left: Strava's way. */
  readonly isRotating: boolean;
  readonly now: () => number;
};

const codeMilliseconds = 600_000;
const hourMilliseconds = 3_600_000;
const token = () => randomBytes(20).toString('hex');

/** Who has allowed the app what, by codes that are used once and tokens. */
export class Grants {
  private readonly codes = new Map<string, Asked & { until: number; grant?: Grant }>();
  all: Grant[] = [];

  constructor(private readonly rules: Rules) {}

  /** The code that the browser takes along. */
  allow(asked: Asked): string {
    const code = token();
    this.codes.set(code, { ...asked, until: this.rules.now() + codeMilliseconds });
    return code;
  }

  /** Undefined for a code that is unknown, old, not for this address or without its proof; a second use ends the first one's. */
  redeem(code: string, { redirectUri, verifier }: { redirectUri?: string | undefined; verifier?: string | undefined }) {
    const asked = this.codes.get(code);
    if (asked?.grant) this.end(asked.grant);
    if (!asked || asked.grant || asked.until < this.rules.now()) return undefined;
    if (redirectUri !== undefined && redirectUri !== asked.redirectUri) return undefined;
    const proof = createHash('sha256')
      .update(verifier ?? '')
      .digest('base64url');
    if (asked.challenge !== undefined && asked.challenge !== proof) return undefined;
    const { person, scopes } = asked;
    const grant = { person, scopes, accessToken: token(), refreshToken: token(), expiresAt: this.expiry() };
    asked.grant = grant;
    this.all.push(grant);
    return grant;
  }

  refresh(refreshToken: string): Grant | undefined {
    const grant = this.all.find((one) => one.refreshToken === refreshToken);
    if (!grant) return undefined;
    if (this.rules.isRotating && grant.expiresAt - this.rules.now() > hourMilliseconds) return grant;
    grant.accessToken = token();
    grant.expiresAt = this.expiry();
    if (this.rules.isRotating) grant.refreshToken = token();
    return grant;
  }

  by(accessToken: string): Grant | undefined {
    return this.all.find((one) => one.accessToken === accessToken && one.expiresAt > this.rules.now());
  }

  /** By either token; whose it was. */
  revoke(tokenOfEitherKind: string): string | undefined {
    const grant = this.all.find(({ accessToken, refreshToken }) =>
      [accessToken, refreshToken].includes(tokenOfEitherKind),
    );
    if (grant) this.end(grant);
    return grant?.person;
  }

  /** By the person, at the platform. */
  revokeAllOf(person: string): boolean {
    const own = this.all.filter((one) => one.person === person);
    for (const grant of own) this.end(grant);
    return own.length > 0;
  }

  /** As if the time had passed. */
  expire(person: string): void {
    for (const grant of this.all) if (grant.person === person) grant.expiresAt = this.rules.now() - 1;
  }

  private end(grant: Grant): void {
    this.all = this.all.filter((one) => one !== grant);
  }

  private expiry(): number {
    return this.rules.now() + this.rules.accessSeconds * 1_000;
  }
}
