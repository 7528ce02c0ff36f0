import { readEnv, serviceEnvSchema } from '@caravan/service-kit/env';

export const env = () => readEnv(serviceEnvSchema);
