export { isSame, jsonIn } from './outbound.client.ts';
export {
  type FailureReason,
  type Notice,
  type Provider,
  ProviderFailure,
  type Purpose,
  type Tokens,
  type Workout,
} from './provider.ts';
export { Providers } from './providers.service.ts';
