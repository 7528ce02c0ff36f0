export { membershipPositionSql, noteMembershipShown } from './members.query.ts';
export { membershipStore } from './membership.store.ts';
export type { NewMember, TeamRef } from './membership.store.ts';
