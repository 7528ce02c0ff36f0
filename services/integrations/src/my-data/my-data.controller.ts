import { OpenToErrands } from '@caravan/auth/access.decorator';
import { CurrentCaller } from '@caravan/auth/caller.decorator';
import type { Caller } from '@caravan/auth/claims';
import { myDataPath } from '@caravan/contracts/http/my-data';
import type { MyData } from '@caravan/contracts/http/my-data';
import { readMyData } from '@caravan/service-kit/storage/my-data';
import { Pool } from '@caravan/service-kit/storage/pool';
import { Controller, Get, Inject } from '@nestjs/common';

/** What integrations holds about a member, as SQL by name of the file; $1 is the organisation, $2 the member. */
const ownFiles = {
  'connected-accounts': `
    select provider, provider_user_id as id_at_provider, connected_at, last_synced_at,
      state, scopes as "allowed", is_scored, consented_at
    from provider_accounts where org_id = $1 and user_id = $2 order by provider`,
  'imported-workouts': `
    select provider, external_id as id_at_provider, activity_type as "activity", started_at,
      duration_minutes, meters, heart_rate, calories, state, why, override,
      removed_at as deleted_at
    from imported_workouts where org_id = $1 and user_id = $2 and started_at is not null order by started_at`,
  'synced-workouts': `
    select provider, cause, state, started_at, ended_at, imported, updated, removed, skipped,
      failure
    from sync_runs where org_id = $1 and user_id = $2 order by started_at`,
} as const;

/** What this service holds about the person who asks, for the export of identity. */
@OpenToErrands()
@Controller(myDataPath)
export class MyDataController {
  constructor(@Inject(Pool) private readonly pool: Pool) {}

  @Get()
  read(@CurrentCaller() caller: Caller): Promise<MyData> {
    return readMyData(this.pool, caller, ownFiles);
  }
}
