/** What kind of refusal a rule spoke; the problem filter turns it into a status (D4). */
export type RejectionKind =
  'not-found' | 'conflict' | 'invalid' | 'unauthenticated' | 'forbidden' | 'too-many' | 'unavailable';

/** A command that the rules refuse. `code` is public and stable (`feature/kebab-reason`), `message` is shown to people. */
export class Rejected extends Error {
  override readonly name = 'Rejected';
  readonly code: string;
  readonly kind: RejectionKind;
  /** Seconds after which trying again makes sense; sent as Retry-After. */
  readonly retryAfterSeconds: number | undefined;

  constructor(code: string, kind: RejectionKind, message: string, options: { retryAfterSeconds?: number } = {}) {
    super(message);
    this.code = code;
    this.kind = kind;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}
