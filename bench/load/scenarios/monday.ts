import { addDays, localDateOf, weekStartOf } from '@caravan/contracts/domain/time/local-days';
import { z } from 'zod';
import type { Finding } from '../../harness.ts';
import { longOr } from '../../form.ts';
import { type Product, runningProduct } from '../../product.ts';
import { asOwner } from '../../seeding/databases.ts';
import { colleagues, oneOf, openingPaths } from '../people.ts';
import { play } from '../scenario.ts';

/** Monday morning: the recap of the week is built while everybody opens the dashboard. */
export async function mondayMorning(): Promise<Finding[]> {
  const product = runningProduct();
  const tokens = await colleagues(product);
  return play(product, {
    goal: 'LOAD-MONDAY',
    told: 'the recap is built and everybody opens the dashboard',
    visitsPerSecond: longOr(20, 10),
    atMostMilliseconds: 500,
    climbs: true,
    visit: (visitors, nth) => visitors.askAll(openingPaths, oneOf(tokens, nth)),
    beside: () => buildRecap(product, tokens[0] ?? ''),
  });
}

const orgSchema = z.object({ org: z.string() });
const zoneSchema = z.tuple([z.object({ timeZone: z.string() })]);

async function buildRecap(product: Product, token: string): Promise<void> {
  const { org } = orgSchema.parse(JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()));
  const sql = 'select time_zone from organisations where org_id = $1';
  const [{ timeZone }] = zoneSchema.parse(await asOwner(product, 'scoring', (tx) => tx.query(sql, [org])));
  const week = addDays(weekStartOf(localDateOf(new Date(), timeZone)), -7);
  const answer = await fetch(`${product.services['social']}/internal/recaps/${week}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'x-service-credential': product.serviceCredential,
    },
    body: '{}',
  });
  if (!answer.ok) throw new Error(`The recap answered ${answer.status}: ${await answer.text()}`);
}
