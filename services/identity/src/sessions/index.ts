export type { EndReason, OpenSession, SignedInPerson } from './session-rules.ts';
export { ownFace, SessionService } from './sessions.service.ts';
