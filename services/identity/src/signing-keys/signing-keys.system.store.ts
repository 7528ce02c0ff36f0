import type { PublicJwk } from '@caravan/auth/jwks';
import type { Tx } from '@caravan/event-store/core/event-store';
import { withSystem } from '@caravan/event-store/postgres/connections';
import type { Pool } from '@caravan/service-kit/storage/pool';
import type { KeyTimes, RotationStep } from './rotation.ts';

/** A key pair; what is sealed is its private half. */
export type SealedKey = { readonly kid: string; readonly publicJwk: PublicJwk; readonly sealed: Buffer };

export type StoredKey = KeyTimes & { readonly publicJwk: PublicJwk; readonly sealed: Buffer };

const lock = "select pg_advisory_xact_lock(hashtextextended('signing-keys', 0))";

/** All keys. They belong to the instance, not to an organisation: the table has no row-level security. */
export async function storedKeys(tx: Pick<Tx, 'query'>): Promise<StoredKey[]> {
  const { rows } = await tx.query<StoredKey>(
    `select kid, state, public_jwk, private_key_encrypted as sealed, created_at,
        activated_at, retires_at
      from signing_keys order by created_at`,
  );
  return rows;
}

/** Changes keys under a lock, so that of several processes one rotates and the others find it done. */
export async function changeKeys(
  pool: Pool,
  at: Date,
  stepsOf: (keys: readonly StoredKey[]) => readonly RotationStep[],
  make: () => SealedKey,
): Promise<StoredKey[]> {
  return withSystem(pool, async (tx) => {
    await tx.query(lock);
    for (const step of stepsOf(await storedKeys(tx))) await apply(tx, step, at, make);
    return storedKeys(tx);
  });
}

async function apply(tx: Tx, step: RotationStep, at: Date, make: () => SealedKey): Promise<void> {
  switch (step.do) {
    case 'create': {
      const { kid, publicJwk, sealed } = make();
      await tx.query(
        `insert into signing_keys (kid, state, public_jwk, private_key_encrypted, created_at, activated_at)
          values ($1, $2, $3, $4, $5, case $2 when 'active' then $5::timestamptz end)`,
        [kid, step.state, JSON.stringify(publicJwk), sealed, at],
      );
      return;
    }
    case 'activate':
      await tx.query("update signing_keys set state = 'active', activated_at = $2 where kid = $1", [step.kid, at]);
      return;
    case 'retire':
      await tx.query("update signing_keys set state = 'verify-only', retires_at = $2 where kid = $1", [
        step.kid,
        step.retiresAt,
      ]);
      return;
    case 'forget':
      await tx.query('delete from signing_keys where kid = $1', [step.kid]);
  }
}
