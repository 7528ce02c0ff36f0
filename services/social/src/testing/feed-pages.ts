import { type FeedPost, feedSchema } from '@caravan/contracts/http/feed';
import type { Answer, ApiClient } from '@caravan/service-kit/testing/api-client';
import { expect } from 'vitest';

/** The ids on each page of a feed, from this path on; every page must be newest first. */
export async function feedPages(client: ApiClient, path: string) {
  const found: string[][] = [];
  const times: string[] = [];
  for (let next: string | undefined = path; next !== undefined;) {
    const answer: Answer<FeedPost[]> = await client.get(next);
    expect(answer.status).toBe(200);
    const posts = feedSchema.parse(answer.body);
    found.push(posts.map(({ id }) => id));
    times.push(...posts.map(({ createdAt }) => createdAt));
    next = /^<(.+)>; rel="next"$/.exec(answer.headers.get('link') ?? '')?.[1];
  }
  expect(times).toEqual([...times].sort().reverse());
  return found;
}
