import { expect } from '@playwright/test';
import { target } from './env.ts';

/** Waits for the newest mail; answers path and query. */
export async function mailedLink(to: string, part: string): Promise<string> {
  let link: string | undefined;
  await expect
    .poll(
      async () => {
        const answer = await fetch(`${target().mail.http}/messages?to=${encodeURIComponent(to)}`);
        const [newest] = (await answer.json()) as { links: string[] }[];
        link = newest?.links.find((each) => each.includes(part));
        return link;
      },
      { message: `a mail with a link to ${part}`, timeout: 60_000 },
    )
    .toBeDefined();
  return pathIn(link ?? '');
}

export function pathIn(link: string): string {
  const { origin, pathname, search } = new URL(link);
  expect(origin).toBe(new URL(target().url).origin);
  return `${pathname}${search}`;
}
