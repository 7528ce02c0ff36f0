import { readEnv } from '@caravan/service-kit/env';
import { gatewayEnvSchema } from './env.ts';
import { startGateway } from './start.ts';

const gateway = await startGateway(readEnv(gatewayEnvSchema));
for (const signal of ['SIGTERM', 'SIGINT'] as const)
  process.once(signal, () => void gateway.close().then(() => process.exit(0)));
