import { CurrentCaller } from '@caravan/auth/caller.decorator';
import type { Caller } from '@caravan/auth/claims';
import { OpenToGuests } from '@caravan/auth/access.decorator';
import type { FitnessStatus } from '@caravan/contracts/http/fitness';
import { Controller, Get, Inject } from '@nestjs/common';
import { FitnessStatusQuery } from './fitness-status.query.ts';

@Controller('api/fitness')
export class FitnessStatusController {
  constructor(@Inject(FitnessStatusQuery) private readonly status: FitnessStatusQuery) {}

  @OpenToGuests()
  @Get('status')
  read(@CurrentCaller() caller: Caller): Promise<FitnessStatus> {
    return this.status.read(caller);
  }
}
