export { isMentionNamedSql } from './comments.query.ts';
