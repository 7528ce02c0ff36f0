export { AccountTokens } from './account-tokens.service.ts';
export { openTokens, sealTokens, withoutTokens } from './sealed-tokens.ts';
export { TokenKeys } from './token-keys.service.ts';
