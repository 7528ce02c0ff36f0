import type { z } from 'zod';
import type { operations } from './operations.ts';

type Operations = typeof operations;

/** The operations that answer page by page. */
export type PagedOperation = {
  [Id in keyof Operations]: Operations[Id] extends { readonly query: z.ZodType<infer Query> }
    ? 'cursor' extends keyof Query
      ? Id
      : never
    : never;
}[keyof Operations];
