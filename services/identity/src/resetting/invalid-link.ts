import { Invalid } from '@caravan/service-kit/problem';

/** The same words for a link that never existed, was used, is too old, or was followed by a newer one. */
export function invalidLink(): Invalid {
  const message = 'This link is invalid or has expired. Please request a new one.';
  return new Invalid([{ path: 'token', message }], 'reset/invalid-link');
}
