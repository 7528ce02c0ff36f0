import { tenantQuery } from '@caravan/event-store/postgres/connections';
import type { Pool } from '@caravan/service-kit/storage/pool';
import type { Pixels } from './photo.ts';

/** Undefined for none, and for one that was discarded. */
export async function registeredPhoto(
  pool: Pool,
  { orgId, photoId }: { readonly orgId: string; readonly photoId: string },
): Promise<(Pixels & { hasSmaller: boolean }) | undefined> {
  const { rows } = await tenantQuery<Pixels & { hasSmaller: boolean }>(
    pool,
    orgId,
    `select width, height, sized_at is not null as has_smaller from photos
     where org_id = $1 and photo_id = $2 and registered_at is not null and discarded_at is null`,
    [orgId, photoId],
  );
  return rows[0];
}
