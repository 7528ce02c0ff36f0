export { Attempts } from './attempts.service.ts';
export { OwnPassword, Passwords } from './passwords.service.ts';
