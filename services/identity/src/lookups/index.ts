export {
  addressTaken,
  confirmationOf,
  credentialOf,
  inviteOf,
  isAddressTaken,
  resetOf,
  sessionStateOf,
  sessionsEndedSince,
  undoOf,
} from './across-organisations.query.ts';
export type { LinkHolder, StoredCredential, StoredReset } from './across-organisations.query.ts';
export {
  dropPushesOfNobody,
  forgetEndpoint,
  forgetEndpointsOfOver,
  forgetNoticesBefore,
  giveMailTurnsBack,
  membersToPushTo,
  takeMailTurns,
  takePushes,
} from './deliveries.store.ts';
export type { TakenPush } from './deliveries.store.ts';
export { zonesSql } from './organisation-zones.query.ts';
export {
  confirmationsToMail,
  exportsBegunBefore,
  exportsOver,
  forgetAuditBefore,
  forgetInvitesOfClosed,
  forgetMailsOlderThan,
  forgetResetsOver,
  forgetSessionsOver,
  forgetUndosOver,
  mailsOlderThan,
  undosToMail,
} from './housekeeping.store.ts';
