export { revokeAllInvites, useInvite } from './invites.store.ts';
export { forgetInvitesOfClosed, inviteOf } from './invites.system.store.ts';
