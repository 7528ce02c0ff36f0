export { revokeAllInvites, useInvite } from './invites.store.ts';
