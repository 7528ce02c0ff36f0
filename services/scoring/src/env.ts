import { readEnv, serviceEnvSchema } from '@caravan/service-kit/process/env';

export const env = () => readEnv(serviceEnvSchema);
