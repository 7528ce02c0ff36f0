export {
  OrganisationWeek,
  isMovementShownSql,
  isNamedSql,
  isRankShownSql,
  profileIdSql,
  shownIdSql,
  shownNameSql,
  shownPhotoSql,
} from './directory.query.ts';
