export { AccountEndings } from './account-endings.service.ts';
export { Revocations } from './revocations.job.ts';
export { sealTokens } from './sealed-tokens.ts';
export { TokenKeys } from './token-keys.service.ts';
