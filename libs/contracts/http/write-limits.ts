import type { Operation } from './operations/operation.ts';
import type { operations } from './operations.ts';

type Operations = typeof operations;

type IsWriting<Each> = Each extends { method: 'get' } ? (Each extends { storesSomething: true } ? true : false) : true;

/** The operations that change something, also those GETs that store something. */
export type WritingOperation = {
  [Id in keyof Operations]: IsWriting<Operations[Id]> extends true ? Id : never;
}[keyof Operations];

/** Whether an operation needs a write limit; the same rule as of the type `WritingOperation`. */
export const isWriting = ({ method, storesSomething }: Pick<Operation, 'method' | 'storesSomething'>): boolean =>
  method !== 'get' || storesSomething === true;

/** How often one member may do it. */
export type WriteLimit = { readonly perMinute: number; readonly perHour: number };

/** Once a second for a minute: more than anybody does by hand. */
const usual: WriteLimit = { perMinute: 60, perHour: 600 };
/** Operations that take one tap and often come many in a row. */
const quick: WriteLimit = { perMinute: 240, perHour: 3_000 };
/** Apps and scripts send what they have collected for weeks at once. */
const logged: WriteLimit = { perMinute: 600, perHour: 6_000 };

/**
 * The limit of every operation that writes; the gateway enforces it. `by-address`: nobody is signed in, so that the address
 * is counted instead (LIMIT_PER_ADDRESS_PER_MINUTE). An operation without an entry does not compile.
 */
export const writeLimits: Readonly<Record<WritingOperation, WriteLimit | 'by-address'>> = {
  signup: 'by-address',
  login: 'by-address',
  refreshSession: 'by-address',
  logout: 'by-address',
  forgotPassword: 'by-address',
  resetPassword: 'by-address',
  confirmEmail: 'by-address',
  undoEmail: 'by-address',
  unsubscribe: 'by-address',
  deliverStrava: 'by-address',
  deliverGoogleHealth: 'by-address',
  deliverFitbit: 'by-address',
  finishConnectingFitness: 'by-address',

  chooseActivityLevel: usual,
  editProfile: usual,
  changeSettings: usual,
  endOwnSession: usual,
  resendConfirmation: usual,
  withdrawPendingEmail: usual,
  requestExport: usual,
  downloadExport: usual,
  downloadAudit: usual,
  eraseMe: usual,
  subscribeToPushes: usual,
  unsubscribeFromPushes: usual,
  setProfilePhoto: usual,
  removeProfilePhoto: usual,
  follow: usual,
  unfollow: usual,

  setUpCompany: usual,
  switchStreakFreezes: usual,
  createInvite: usual,
  revokeInvite: quick,
  changeMember: quick,
  formTeam: usual,
  changeTeam: usual,
  replaceChallengeTemplates: usual,
  startJourney: usual,
  openBallots: usual,
  openBallot: usual,
  editBallot: usual,
  closeBallot: usual,
  hideComment: quick,
  showComment: quick,
  dismissReports: quick,

  logMovement: logged,
  correctLog: quick,
  removeLog: quick,
  trackActivity: quick,
  connectFitness: usual,
  startUpload: usual,
  readUploadParameters: usual,
  registerPhoto: usual,
  beginPartedUpload: usual,
  completePartedUpload: usual,
  abortPartedUpload: usual,
  readLinkedFile: usual,
  importLinkedFile: usual,
  completeChallenge: usual,

  reactToPost: quick,
  voteForTeamName: usual,
  writeComment: usual,
  editComment: usual,
  deleteComment: usual,
  reportComment: usual,
  markNotificationsRead: quick,
  muteNotifications: usual,
  engageWithRecap: quick,

  consentToScore: usual,
  disconnectFitness: usual,
  syncFitness: usual,
  countWorkout: quick,
};

/** For a request that writes and is none of the operations above, however its address is spelled. */
export const unlistedWrites: WriteLimit = usual;
