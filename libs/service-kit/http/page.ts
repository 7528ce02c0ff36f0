import { instantSchema } from '@caravan/contracts/events/fields';
import type { Cursor } from '@caravan/contracts/http/paging';
import { z } from 'zod';

export const newestFirstKey = z.tuple([instantSchema, z.uuid()]);

export type PageLinkOptions = {
  readonly path: string;
  readonly query: Readonly<Record<string, string | number | undefined>>;
  readonly cursor: Cursor;
};

export function nextPageLink({ path, query, cursor }: PageLinkOptions): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) parameters.set(name, String(value));
  parameters.set('cursor', cursor);
  return `<${path}?${parameters}>; rel="next"`;
}
