import { operationFinder } from './routes.ts';

/** Until an answer begins. */
export const ordinaryMilliseconds = 2_800;
/** The service gets so much less: its own refusal, which says more, comes first. */
export const marginMilliseconds = 300;
export const probeMilliseconds = 1_000;
/** A new connection whose first, cheap request has no answer by then is late. */
export const greetingMilliseconds = 700;
/** An ordinary request without an answer is looked after then: enough time is left to ask another process. */
export const silentMilliseconds = 900;
export const lookMilliseconds = ordinaryMilliseconds - probeMilliseconds;
/** A pause within an answer; one that its slow reader causes may last for ever. */
export const bodyMilliseconds = 4_000;

const longMilliseconds = 30_000;
/** Passwords queue for their hash, pictures for a process and workouts for a platform: slow, yet alive. */
const longOperations = new Set([
  'post /api/signup',
  'post /api/login',
  'post /api/reset-password',
  'post /api/email/undo',
  'patch /api/me/settings',
  'delete /api/me',
  'post /api/company/setup',
  'put /api/workout-photos',
  'post /api/fitness/sync',
]);
/** Their process may have to start, and they wait for the storage. */
const panelPath = '/companion/';
const long = operationFinder(
  ({ method, path, mediaType }) =>
    mediaType !== undefined || path.startsWith(panelPath) || longOperations.has(`${method} ${path}`),
);

export type Budget = { readonly milliseconds: number; readonly isLong: boolean };

export function budgetOf(method: string, path: string): Budget {
  const isLong = long(method, path) !== undefined;
  return { milliseconds: isLong ? longMilliseconds : ordinaryMilliseconds, isLong };
}
