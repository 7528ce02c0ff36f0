import { operations } from '@caravan/contracts/http/operations';
import type { Operation } from '@caravan/contracts/http/operations/operation';

/** How long an answer may take to begin. Who waits longer than this for a service waits in vain. */
export const ordinaryMilliseconds = 2_800;
/** Of it the service gets so much less, so that its own refusal, which says more, comes first. */
export const marginMilliseconds = 300;
/** How long a service may take to say that it lives. */
export const probeMilliseconds = 1_000;
/** How often a service that lets somebody wait is asked whether it lives: one that hangs is known in time to say so. */
export const lookMilliseconds = ordinaryMilliseconds - probeMilliseconds;
/** How long an answer that has begun may pause; while its reader is the slow one it may pause for ever. */
export const bodyMilliseconds = 4_000;

const longMilliseconds = 30_000;
/**
 * What may take that long, as long as its service lives. Passwords are hashed one after the other, so that a Monday
 * morning queues; pictures are decoded in processes of their own, and others wait for a turn.
 */
const longOperations = [
  'POST /api/signup',
  'POST /api/login',
  'POST /api/reset-password',
  'POST /api/email/undo',
  'PATCH /api/me/settings',
  'DELETE /api/me',
  'POST /api/company/setup',
];
/** Files are collected before they begin. */
const files = Object.values<Operation>(operations)
  .filter(({ mediaType }) => mediaType !== undefined)
  .map(({ method, path }) => `${method.toUpperCase()} ${path}`);
const long = new Set([...longOperations, ...files]);

/** How long the answer to a request may take to begin, in milliseconds. */
export const budgetOf = (method: string, path: string): number =>
  long.has(`${method} ${path}`) ? longMilliseconds : ordinaryMilliseconds;
