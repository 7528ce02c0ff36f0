import { endInOrder } from '@caravan/service-kit/process/ending';
import { readEnv } from '@caravan/service-kit/process/env';
import { giveIdleMemoryBack } from '@caravan/service-kit/process/idle-memory';
import { createLog } from '@caravan/service-kit/telemetry/log';
import { gatewayEnvSchema } from './env.ts';
import { startGateway } from './start.ts';

const env = readEnv(gatewayEnvSchema);
const gateway = await startGateway(env);
endInOrder(gateway, createLog({ service: 'gateway', level: env.LOG_LEVEL }));
giveIdleMemoryBack();
