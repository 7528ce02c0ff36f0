import { Global, Module } from '@nestjs/common';
import { Sessions } from '../ports.ts';
import { Credentials } from './credentials.client.ts';
import { ForgetEndedSessions } from './forget-ended-sessions.job.ts';
import { InternalSessionsController } from './internal-sessions.controller.ts';
import { LoginController } from './login.controller.ts';
import { SessionKeeping } from './session-keeping.client.ts';
import { SessionStates } from './session-states.client.ts';
import { SessionsController } from './sessions.controller.ts';

@Global()
@Module({
  controllers: [LoginController, SessionsController, InternalSessionsController],
  providers: [
    Credentials,
    SessionKeeping,
    { provide: Sessions, useExisting: SessionKeeping },
    SessionStates,
    ForgetEndedSessions,
  ],
  exports: [Sessions, SessionStates],
})
export class SessionsModule {}
