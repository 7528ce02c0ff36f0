import { CurrentCaller } from '@caravan/auth/caller.decorator';
import type { Caller } from '@caravan/auth/claims';
import { myDataPath } from '@caravan/contracts/http/my-data';
import type { MyData } from '@caravan/contracts/http/my-data';
import { readMyData } from '@caravan/service-kit/my-data';
import { Pool } from '@caravan/service-kit/pool';
import { Controller, Get, Inject } from '@nestjs/common';

/** What social holds about a member, as SQL by name of the file; $1 is the organisation, $2 the member. */
const ownFiles = {
  posts: `
    select log_id as "postId", created_at as "createdAt", activity_type as "activityType",
      duration_minutes as "durationMinutes", (centimiles / 100.0)::float8 as miles, source, caption
    from posts where org_id = $1 and user_id = $2 order by created_at, log_id`,
  'feed-profile': `
    select name, photo_url as "photoUrl", team_id as "teamId", activity_visible as "activityVisible",
      profile_visible as "profileVisible"
    from members where org_id = $1 and user_id = $2`,
} as const;

@Controller(myDataPath)
export class MyDataController {
  constructor(@Inject(Pool) private readonly pool: Pool) {}

  @Get()
  read(@CurrentCaller() caller: Caller): Promise<MyData> {
    return readMyData(this.pool, caller, ownFiles);
  }
}
