import { gatewayEnvSchema } from '@caravan/gateway/env';
import { startGateway } from '@caravan/gateway/start';
import { readEnv } from '@caravan/service-kit/env';

// The product's own gateway, before a service that the bench chose.
process.stdout.write(`${(await startGateway(readEnv(gatewayEnvSchema))).url}\n`);
