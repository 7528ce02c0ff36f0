import { isAway } from '@caravan/kernel/problem';
import type { Rows } from '../rows/index.ts';

/** How many accounts and revocations are sealed by a key that is none of these; 0 while the database is away. */
export async function countSealedByUnknownKeys(rows: Rows, knownKeyIds: readonly string[]): Promise<number> {
  const where = { tokenKeyId: { notIn: [...knownKeyIds] } };
  const { providerAccount, pendingRevocation } = rows.ofEveryone();
  const counted = Promise.all([providerAccount.count({ where }), pendingRevocation.count({ where })]);
  const [accounts, revocations] = await counted.catch((error: unknown) => {
    if (isAway(error)) return [0, 0] as const;
    throw error;
  });
  return accounts + revocations;
}

export const accountsOfOtherKeys = (rows: Rows, currentKeyId: string, atMost: number) =>
  rows.ofEveryone().providerAccount.findMany({ where: { tokenKeyId: { not: currentKeyId } }, take: atMost });

export const revocationsOfOtherKeys = (rows: Rows, currentKeyId: string, atMost: number) =>
  rows.ofEveryone().pendingRevocation.findMany({ where: { tokenKeyId: { not: currentKeyId } }, take: atMost });
