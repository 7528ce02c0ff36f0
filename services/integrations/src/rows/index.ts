export { isMissing, isTaken } from './database-error.ts';
export { Rows } from './prisma.client.ts';
