export { Attempts } from './attempts.service.ts';
export { OwnPassword, Passwords } from './passwords.service.ts';
export { credentialOf } from './credentials.system.query.ts';
export type { StoredCredential } from './credentials.system.query.ts';
