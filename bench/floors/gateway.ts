import { gatewayEnvSchema } from '@caravan/gateway/env';
import { startGateway } from '@caravan/gateway/start';
import { readEnv } from '@caravan/service-kit/process/env';

process.stdout.write(`${(await startGateway(readEnv(gatewayEnvSchema))).url}\n`);
