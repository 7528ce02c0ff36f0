import type { z } from 'zod';
import type { ServiceName } from '../../events/topics.ts';

/** connect: binds a connection to the browser that began it. */
export type CookieUse = 'refresh' | 'device' | 'connect';

export type Operation = {
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  readonly path: string;
  readonly service: ServiceName | 'gateway';
  /**
   * public: no bearer; cookie: the refresh cookie alone; guest: any signed-in person; member: any whose address is
   * confirmed where their invite asks for it (D54); admin: the role (D3).
   */
  readonly access: 'public' | 'cookie' | 'guest' | 'member' | 'admin';
  readonly cookies?: readonly CookieUse[];
  readonly summary: string;
  readonly body?: z.ZodType;
  readonly query?: z.ZodType;
  /** A GET that stores something, such as a line of the audit log: it has a write limit like any other write. */
  readonly storesSomething?: true;
  /** The same request again is answered as before, another one under its key is refused (D38). */
  readonly isIdempotent?: true;
  /** It replaces a whole; `If-Match` names the state that the caller has seen (`versionOf` of the read answer). */
  readonly isVersioned?: true;
  readonly answers: Readonly<Record<number, z.ZodType>>;
  readonly mediaType?: string;
  readonly refusals?: Readonly<Record<number, string>>;
};

export const list = <const Operations extends Readonly<Record<string, Operation>>>(operations: Operations) =>
  operations;
