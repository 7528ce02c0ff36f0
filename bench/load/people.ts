import { longOr } from '../form.ts';
import { company } from '../herd/company.ts';
import type { Product } from '../product.ts';
import { runTimed } from '../progress.ts';

/** What the web app asks for when somebody opens it on the dashboard. */
export const openingPaths: readonly string[] = [
  '/api/me',
  '/api/org/branding',
  '/api/dashboard/stats',
  '/api/weekly-challenges',
  '/api/bonus-challenge',
  '/api/journey',
  '/api/user/badges',
  '/api/me/settings',
  '/api/notifications/unread',
];

export const members = longOr(400, 40);
let known: Promise<string[]> | undefined;

/** One company for all scenarios of a run: signing up is the dearest thing that people do. */
export function colleagues(product: Product): Promise<string[]> {
  known ??= runTimed(`${members} people have signed up`, () => company(product, members));
  // Who comes next tries anew.
  known.catch(() => (known = undefined));
  return known;
}

/** Neighbours in time are different people. */
export const oneOf = (tokens: readonly string[], nth: number): string => tokens[(nth * 7) % tokens.length] ?? '';
