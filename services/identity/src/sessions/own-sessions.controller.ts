import { OpenToGuests } from '@caravan/auth/access.decorator';
import { CurrentCaller } from '@caravan/auth/caller.decorator';
import type { Caller } from '@caravan/auth/claims';
import { refreshCookieOf } from '@caravan/auth/cookies';
import type { OwnSession } from '@caravan/contracts/http/people';
import { Rejected } from '@caravan/event-store/rejected';
import { Env } from '@caravan/service-kit/env';
import { Log } from '@caravan/service-kit/log';
import { Pool } from '@caravan/service-kit/pool';
import { idParams, ValidParams } from '@caravan/service-kit/valid.decorator';
import { Controller, Delete, Get, Inject, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { endOwnSession, ownSessions } from './own-sessions.store.ts';
import { SessionService } from './sessions.service.ts';

@Controller('api/me/sessions')
@OpenToGuests()
export class OwnSessionsController {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(SessionService) private readonly sessions: SessionService,
    @Inject(Env) private readonly env: Env,
    @Inject(Log) private readonly log: Log,
  ) {}

  @Get()
  list(@CurrentCaller() caller: Caller): Promise<OwnSession[]> {
    return ownSessions(this.pool, caller);
  }

  @Delete(':id')
  async end(
    @ValidParams(idParams) { id }: { id: string },
    @CurrentCaller() caller: Caller,
    @Res({ passthrough: true }) answer: FastifyReply,
  ): Promise<{ ended: true }> {
    if (!(await endOwnSession(this.pool, caller, id)))
      throw new Rejected('session/not-found', 'not-found', 'There is no such session.');
    await this.sessions.announceEnds([id]);
    if (id === caller.sessionId) answer.header('set-cookie', refreshCookieOf(this.env.PUBLIC_URL).clear());
    this.log.info({ event: 'session-ended', userId: caller.userId, sessionId: id }, 'a session was signed out');
    return { ended: true };
  }
}
