import { operations } from '@caravan/contracts/http/operations';
import type { Operation } from '@caravan/contracts/http/operations/operation';

/** Until an answer begins. */
export const ordinaryMilliseconds = 2_800;
/** The service gets so much less: its own refusal, which says more, comes first. */
export const marginMilliseconds = 300;
export const probeMilliseconds = 1_000;
export const lookMilliseconds = ordinaryMilliseconds - probeMilliseconds;
/** A pause within an answer; one that its slow reader causes may last for ever. */
export const bodyMilliseconds = 4_000;

const longMilliseconds = 30_000;
/** Passwords queue for their hash and pictures for a process: slow, yet alive. */
const longOperations = [
  'POST /api/signup',
  'POST /api/login',
  'POST /api/reset-password',
  'POST /api/email/undo',
  'PATCH /api/me/settings',
  'DELETE /api/me',
  'POST /api/company/setup',
];
const files = Object.values<Operation>(operations)
  .filter(({ mediaType }) => mediaType !== undefined)
  .map(({ method, path }) => `${method.toUpperCase()} ${path}`);
const long = new Set([...longOperations, ...files]);

export const budgetOf = (method: string, path: string): number =>
  long.has(`${method} ${path}`) ? longMilliseconds : ordinaryMilliseconds;
