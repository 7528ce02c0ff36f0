import { sessionFetch } from '../http.ts';
import type { Config } from './generated/client/types.gen.ts';

/** The generated client calls through the rules of `sessionFetch`. */
export const createClientConfig = <C extends Config>(config?: C): C & Config => ({
  ...(config as C),
  baseUrl: location.origin,
  fetch: (request) => sessionFetch(request as Request),
});
