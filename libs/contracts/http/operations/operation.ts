import type { z } from 'zod';
import type { ServiceName } from '../../topics.ts';

/** What a cookie of the product is for; its name depends on where the product is reached. */
export type CookieUse = 'refresh' | 'device';

/** One HTTP operation of the product: the source of the OpenAPI document, the gateway's checks and the web client. */
export type Operation = {
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** With `{name}` for parameters. */
  readonly path: string;
  readonly service: ServiceName | 'gateway';
  /** public: no bearer; cookie: the refresh cookie alone; member: any signed-in person; admin: the role (D3). */
  readonly access: 'public' | 'cookie' | 'member' | 'admin';
  /** The cookies it reads; the gateway hands no other one on. */
  readonly cookies?: readonly CookieUse[];
  readonly summary: string;
  readonly body?: z.ZodType;
  readonly query?: z.ZodType;
  /** Takes an Idempotency-Key: the same request again is answered as before, another under its key is refused (D38). */
  readonly isIdempotent?: true;
  /** The body of a successful answer, by status. */
  readonly answers: Readonly<Record<number, z.ZodType>>;
  /** Of a successful answer; JSON unless said otherwise. */
  readonly mediaType?: string;
  /** Statuses of refusals beside those that follow from access, path, query and body, with what each means. */
  readonly refusals?: Readonly<Record<number, string>>;
};

/** Keeps literal types while checking the shape. */
export const list = <const Operations extends Readonly<Record<string, Operation>>>(operations: Operations) =>
  operations;
