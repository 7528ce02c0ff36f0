import { readEnv, serviceEnvSchema } from '@caravan/service-kit/env';

/** The integrations service needs what every service needs. */
export const env = () => readEnv(serviceEnvSchema);
