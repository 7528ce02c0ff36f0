import { z } from 'zod';
import type { Product } from '../product.ts';
import { signUpAccounts } from '../product.ts';
import { asOwner } from './databases.ts';

/** An organisation that is grown, with the person who founded it through the product's own door. */
export type Place = {
  readonly orgId: string;
  readonly timeZone: string;
  /** Older first. */
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

/** Founds an organisation and waits until scoring knows its founder. */
export async function foundPlace(product: Product): Promise<Place> {
  const [account] = await signUpAccounts(product, 1);
  if (!account) throw new Error('One account was asked for');
  const { token } = account;
  const [, claims = ''] = token.split('.');
  const { sub: userId, org: orgId } = z
    .object({ sub: z.string(), org: z.string() })
    .parse(JSON.parse(Buffer.from(claims, 'base64url').toString()));
  for (const service of ['activity', 'scoring', 'social'] as const) await isKnown(product, service, { orgId, userId });
  const [found] = await asOwner(product, 'scoring', (tx) =>
    tx.query(
      `select array(select team_id from teams where org_id = $1 order by formed_position) as "teamIds",
         (select time_zone from organisations where org_id = $1) as "timeZone",
         (select team_id from members where org_id = $1 and user_id = $2) as "founderTeamId",
         (select count(*)::int from organisations) as number`,
      [orgId, userId],
    ),
  );
  const { founderTeamId: teamId, ...rest } = foundedSchema.parse(found);
  return { orgId, ...rest, founder: { userId, teamId, token } };
}

async function isKnown(
  product: Product,
  service: 'activity' | 'scoring' | 'social',
  { orgId, userId }: { orgId: string; userId: string },
): Promise<void> {
  for (;;) {
    const rows = await asOwner(product, service, (tx) =>
      tx.query('select from members where org_id = $1 and user_id = $2', [orgId, userId]),
    );
    if (rows.length > 0) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
