export { AddressUndo } from './recovery.service.ts';
