import { Public } from '@caravan/auth/access.decorator';
import { uuidParams, ValidParams } from '@caravan/service-kit/valid.decorator';
import { Controller, Get, Inject } from '@nestjs/common';
import { SessionStates } from './session-states.client.ts';

/** For the other processes of the instance when Redis does not know; the gateway does not route it. */
@Controller('internal/sessions')
export class InternalSessionsController {
  constructor(@Inject(SessionStates) private readonly states: SessionStates) {}

  @Public()
  @Get(':sid')
  async state(@ValidParams(uuidParams('sid')) { sid }: { sid: string }) {
    return { state: await this.states.stateOf(sid) };
  }
}
