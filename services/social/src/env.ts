import { readEnv, serviceEnvSchema } from '@caravan/service-kit/env';

/** The social service needs what every service needs. */
export const env = () => readEnv(serviceEnvSchema);
