export {
  isMovementShownSql,
  isNamedSql,
  isOffBoardsSql,
  isRankShownSql,
  profileIdSql,
  shownIdSql,
  shownNameSql,
  shownPhotoSql,
  zonesOf,
  zonesSql,
} from './directory.query.ts';
export { settleBadgesDue, storeBadgesDue } from './directory.store.ts';
export { organisationsWithBadgesDue } from './organisations.system.query.ts';
export type { DueOrganisation } from './organisations.system.query.ts';
export { dateSql, daysBetweenMondays } from './organisation-days.ts';
export type { OrganisationDays } from './organisation-days.ts';
export { OrganisationWeek } from './organisation-week.service.ts';
