import type { ServiceName } from '@caravan/contracts/events/topics';
import { z } from 'zod';
import type { Product } from '../product.ts';
import { signUpAccounts } from '../product.ts';
import { asOwner } from './databases.ts';

export type Place = {
  readonly orgId: string;
  readonly timeZone: string;
  readonly teamIds: readonly string[];
  readonly founder: { readonly userId: string; readonly teamId: string; readonly token: string };
  /** Tells the ids of one place from those of another. */
  readonly number: number;
};

const foundedSchema = z.object({
  teamIds: z.array(z.string()),
  timeZone: z.string(),
  founderTeamId: z.string(),
  number: z.number(),
});

/** The founder moves once; waits until everybody knows of both. */
export async function foundPlace(product: Product): Promise<Place> {
  const [account] = await signUpAccounts(product, 1);
  if (!account) throw new Error('One account was asked for');
  const { token } = account;
  const [, claims = ''] = token.split('.');
  const { sub: userId, org: orgId } = z
    .object({ sub: z.string(), org: z.string() })
    .parse(JSON.parse(Buffer.from(claims, 'base64url').toString()));
  const whose = { orgId, userId };
  for (const service of ['activity', 'scoring', 'social'] as const) await isThere(product, service, 'members', whose);
  await logOnce(product, token);
  await isThere(product, 'scoring', 'member_totals', whose);
  await isThere(product, 'social', 'posts', whose);
  await isThere(product, 'identity', 'member_scores', { ...whose, only: 'total_centimiles > 0' });
  const [found] = await asOwner(product, 'scoring', (tx) =>
    tx.query(
      `select array(select team_id from teams where org_id = $1 order by formed_position) as team_ids,
         (select time_zone from organisations where org_id = $1) as time_zone,
         (select team_id from members where org_id = $1 and user_id = $2) as founder_team_id,
         (select count(*)::int from organisations) as number`,
      [orgId, userId],
    ),
  );
  const { founderTeamId: teamId, ...rest } = foundedSchema.parse(found);
  return { orgId, ...rest, founder: { userId, teamId, token } };
}

async function logOnce({ url }: Product, token: string): Promise<void> {
  const answer = await fetch(`${url}/api/log`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ activityType: 'Walking', durationMinutes: 30, source: 'timer' }),
  });
  if (!answer.ok) throw new Error(`/api/log answered ${answer.status}: ${await answer.text()}`);
}

async function isThere(
  product: Product,
  service: ServiceName,
  table: 'members' | 'member_totals' | 'posts' | 'member_scores',
  { orgId, userId, only = 'true' }: { orgId: string; userId: string; only?: string },
): Promise<void> {
  for (;;) {
    const rows = await asOwner(product, service, (tx) =>
      tx.query(`select from ${table} where org_id = $1 and user_id = $2 and ${only}`, [orgId, userId]),
    );
    if (rows.length > 0) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
