import type { AccountName } from '../ports.ts';
import type { Rows } from '../rows/index.ts';
import type { Screen } from './return-path.ts';

type Bytes = Uint8Array<ArrayBuffer>;

type NewAttempt = AccountName & {
  readonly sessionId: string;
  readonly stateHash: Bytes;
  readonly browserHash: Bytes;
  readonly verifierSealed: Bytes;
  readonly keyId: string;
  readonly isScored: boolean;
  readonly returnScreen: Screen;
  readonly expiresAt: Date;
};

/** An attempt that was begun before can be finished no more: a person has one at most for each platform. */
export async function storeAttempt(rows: Rows, attempt: NewAttempt): Promise<void> {
  const { orgId, userId, provider } = attempt;
  await rows.together(orgId, ({ connectAttempt }) => [
    connectAttempt.deleteMany({ where: { orgId, userId, provider } }),
    connectAttempt.create({ data: attempt }),
  ]);
}

/** The attempt of a state, and whether this call is the first to use it. Null: there is none. */
export async function useAttempt(rows: Rows, orgId: string, stateHash: Bytes, now: Date) {
  const { connectAttempt } = rows.of(orgId);
  const row = await connectAttempt.findFirst({ where: { orgId, stateHash } });
  if (!row) return null;
  const { count } = await connectAttempt.updateMany({
    where: { orgId, stateHash, usedAt: null },
    data: { usedAt: now },
  });
  return { row, isFirst: count === 1 };
}
