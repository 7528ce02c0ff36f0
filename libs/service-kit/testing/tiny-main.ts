import { readEnv, serviceEnvSchema } from '../process/env.ts';
import { start } from '../http/start.ts';
import { TinyModule } from './tiny-service.ts';

const env = readEnv(serviceEnvSchema);
await start({ name: env.SERVICE_NAME, env, module: TinyModule.forRoot(env) });
