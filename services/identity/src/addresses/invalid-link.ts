import { Invalid } from '@caravan/service-kit/problem';

/** The same words for a link that never existed, was used, is too old, or was followed by a newer one. */
export function invalidLink(): Invalid {
  const message = 'This link is invalid, was used already or has expired.';
  return new Invalid([{ path: 'token', message }], 'email/invalid-link');
}
