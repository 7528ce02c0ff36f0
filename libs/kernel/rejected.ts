export type RejectionKind =
  | 'not-found'
  | 'conflict'
  | 'stale'
  | 'malformed'
  | 'invalid'
  | 'unauthenticated'
  | 'forbidden'
  | 'too-many'
  | 'unavailable'
  | 'too-large'
  | 'too-slow'
  | 'no-length';

/** A command that the rules refuse. `code` is public and stable (`feature/kebab-reason`), `message` is shown to people. */
export class Rejected extends Error {
  override readonly name = 'Rejected';
  readonly code: string;
  readonly kind: RejectionKind;
  readonly retryAfterSeconds: number | undefined;

  constructor(code: string, kind: RejectionKind, message: string, options: { retryAfterSeconds?: number } = {}) {
    super(message);
    this.code = code;
    this.kind = kind;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}
