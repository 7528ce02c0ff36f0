import { OpenToErrands } from '@caravan/auth/access.decorator';
import { CurrentCaller } from '@caravan/auth/caller.decorator';
import type { Caller } from '@caravan/auth/claims';
import { forgottenActivityName } from '@caravan/contracts/domain/movement/activities';
import { myDataPath } from '@caravan/contracts/http/my-data';
import type { MyData } from '@caravan/contracts/http/my-data';
import { readMyData } from '@caravan/service-kit/storage/my-data';
import { selectList } from '@caravan/event-store/postgres/table';
import { Pool } from '@caravan/service-kit/storage/pool';
import { Controller, Get, Inject } from '@nestjs/common';
import { details } from '../logging/index.ts';
import { largestSize, photoKey } from '../photos/index.ts';

/** What activity holds about a member, as SQL by name of the file; $1 is the organisation, $2 the member. */
const ownFiles = {
  movements: `
    select l.log_id, coalesce(t.activity_type, nullif(l.activity, 'custom'), '${forgottenActivityName}') as activity_type,
      l.duration_minutes, (l.centimiles / 100.0)::float8 as miles, l.multiplier::float8 as multiplier,
      l.source, l.audience, ${selectList(details, 't')}, (l.covered_centimiles / 100.0)::float8 as covered_miles,
      l.started_at, l.logged_at, l.logged_on, l.time_zone,
      l.team_id as earned_for_team_id
    from movement_logs l left join movement_texts t on t.org_id = l.org_id and t.log_id = l.log_id
    where l.org_id = $1 and l.user_id = $2 order by l.logged_at, l.log_id`,
  'movement-membership': `
    select m.team_id, m.time_zone, (coalesce(s.centimiles, 0) / 100.0)::float8 as total_miles
    from members m left join member_miles s on s.org_id = m.org_id and s.user_id = m.user_id
    where m.org_id = $1 and m.user_id = $2`,
  'frequent-activities': `
    select activity_name, usage_count, used_at as last_used_at
    from frequent_activities where org_id = $1 and user_id = $2 order by used_at`,
  photos: `
    select photo_id, alt, width, height, log_id, chosen_at as chosen_as_own_picture_at,
      registered_at, 'pictures/' || photo_id || '.webp' as file
    from photos where org_id = $1 and user_id = $2 and registered_at is not null and discarded_at is null
    order by registered_at`,
  uploads: `
    select size_bytes, started_at, refusal
    from uploads where org_id = $1 and user_id = $2 order by started_at`,
  'movement-answers': `
    select key as idempotency_key, answer, answered_at
    from es.requests where org_id = $1 and owner = $2::text order by answered_at, key`,
} as const;

@OpenToErrands()
@Controller(myDataPath)
export class MyDataController {
  constructor(@Inject(Pool) private readonly pool: Pool) {}

  @Get()
  async read(@CurrentCaller() caller: Caller): Promise<MyData> {
    const { files } = await readMyData(this.pool, caller, ownFiles);
    const pictures = (files['photos'] ?? []).map(({ photoId, file }) => ({
      name: String(file),
      key: photoKey({ orgId: caller.orgId, photoId: String(photoId) }, largestSize),
    }));
    return { files, pictures };
  }
}
