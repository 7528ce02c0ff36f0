export { isItemShownSql } from './shown.ts';
