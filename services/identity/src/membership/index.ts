export { membershipPositionSql, noteMembershipShown } from './members.query.ts';
export {
  admitMember,
  appointAdmin,
  choosePrivacy,
  dissolveTeams,
  editProfile,
  eraseMember,
  formFirstTeams,
  holdMember,
  joinOrganisation,
  showPhoto,
} from './membership.store.ts';
export type { NewMember, TeamRef } from './membership.store.ts';
