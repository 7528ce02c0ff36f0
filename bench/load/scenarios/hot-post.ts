import { reactionEmojis } from '@caravan/contracts/events/fields';
import { logAnswerSchema } from '@caravan/contracts/http/movement';
import { longOr } from '../../form.ts';
import type { Finding } from '../../harness.ts';
import { runningProduct } from '../../product.ts';
import { colleagues, oneOf } from '../people.ts';
import { play } from '../scenario.ts';
import { Tally } from '../tally.ts';
import { Visitors } from '../visitors.ts';

/** Everybody reads the feed and reacts to its one hot post. */
export async function everybodyReacts(): Promise<Finding[]> {
  const product = runningProduct();
  const tokens = await colleagues(product);
  const first = new Visitors(product.url, new Tally());
  const body = { activityType: 'Swimming', durationMinutes: 45 };
  const log = { method: 'POST', path: '/api/log', token: tokens[0] ?? '', body } as const;
  const { id: movementLogId } = logAnswerSchema.parse(await first.ask(log));
  await first.close();
  return play(product, {
    goal: 'LOAD-HOT-POST',
    told: 'everybody reads the feed and reacts to one post',
    visitsPerSecond: longOr(30, 10),
    atMostMilliseconds: 500,
    climbs: true,
    visit: async (visitors, nth) => {
      const token = oneOf(tokens, nth);
      const emoji = reactionEmojis[Math.floor(nth / tokens.length) % reactionEmojis.length];
      await visitors.ask({ act: 'feed', path: '/api/feed/all?limit=10', token });
      const react = { act: 'react', method: 'POST', path: '/api/feed/react', token } as const;
      await visitors.ask({ ...react, body: { movementLogId, emoji } });
    },
  });
}
