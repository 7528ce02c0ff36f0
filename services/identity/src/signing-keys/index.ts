export { KeyRing, makeSealedKey, openSealedKey } from './key-ring.service.ts';
export type { SealedKey } from './signing-keys.system.store.ts';
