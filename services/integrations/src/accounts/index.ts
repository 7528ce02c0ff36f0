export { AccountEndings } from './account-endings.store.ts';
export { openTokens, sealTokens, withoutTokens } from './sealed-tokens.ts';
export { TokenKeys } from './token-keys.service.ts';
