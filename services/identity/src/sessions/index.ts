export type { EndReason, OpenSession, SignedInPerson } from './session-rules.ts';
export { SessionService } from './sessions.service.ts';
