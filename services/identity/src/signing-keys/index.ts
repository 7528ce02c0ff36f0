export { KeyRing } from './key-ring.service.ts';
