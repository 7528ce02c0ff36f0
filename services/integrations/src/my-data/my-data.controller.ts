import { CurrentCaller } from '@caravan/auth/caller.decorator';
import type { Caller } from '@caravan/auth/claims';
import { type MyData, myDataPath } from '@caravan/contracts/http/my-data';
import { readMyData } from '@caravan/service-kit/my-data';
import { Pool } from '@caravan/service-kit/pool';
import { Controller, Get, Inject } from '@nestjs/common';
import { ownFiles } from './own-files.ts';

/** What this service holds about the person who asks, for the export of identity. */
@Controller(myDataPath)
export class MyDataController {
  constructor(@Inject(Pool) private readonly pool: Pool) {}

  @Get()
  read(@CurrentCaller() caller: Caller): Promise<MyData> {
    return readMyData(this.pool, caller, ownFiles);
  }
}
