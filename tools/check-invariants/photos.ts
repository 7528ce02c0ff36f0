import { type ObjectStorage } from '@caravan/service-kit/storage/objects';
import { poolOfAllOrganisations } from './sums.ts';

const ownedSql = `
  select 'incoming/' || org_id || '/' || user_id || '/' || upload_id as key from uploads
  union all select 'photos/' || org_id || '/' || photo_id || '/' || size || '.webp' from photos,
    unnest(array[64, 280, 640, 1280]) size`;
const promisedSql = `
  select 'photos/' || org_id || '/' || photo_id || '/' || size || '.webp' as key
  from photos, unnest(array[64, 280, 640, 1280]) size
  where registered_at is not null and discarded_at is null
    and (size = 1280 or sized_at is not null and size < greatest(width, height))`;

/** I11: no object without a row that owns it, and no row of a photo without its objects. */
export async function photosAdrift(
  activityUrl: string,
  objects: ObjectStorage,
  { orgId }: { readonly orgId?: string } = {},
): Promise<string[]> {
  const pool = poolOfAllOrganisations(activityUrl);
  const keysOf = async (sql: string) =>
    (await pool.query<{ key: string }>(sql)).rows.map(({ key }) => key).filter((key) => isMeant(key, orgId));
  try {
    const kept = (await Promise.all(folders.map((folder) => objects.list(`${folder}/${orgId ?? ''}`)))).flat();
    const owned = new Set(await keysOf(ownedSql));
    const promised = await keysOf(promisedSql);
    const there = new Set(kept);
    return [
      ...kept.filter((key) => !owned.has(key)).map((key) => `I11 every object has its owner: ${key} has none`),
      ...promised.filter((key) => !there.has(key)).map((key) => `I11 every photo has its objects: ${key} is missing`),
    ];
  } finally {
    await pool.end();
  }
}

const folders = ['incoming', 'photos'] as const;
const isMeant = (key: string, orgId: string | undefined) => orgId === undefined || key.split('/')[1] === orgId;
