export {
  OrganisationWeek,
  isMovementShownSql,
  isNamedSql,
  profileIdSql,
  shownIdSql,
  shownNameSql,
  shownPhotoSql,
} from './directory.query.ts';
