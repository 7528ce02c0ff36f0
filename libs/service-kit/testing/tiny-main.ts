import { readEnv, serviceEnvSchema } from '../env.ts';
import { start } from '../start.ts';
import { TinyModule } from './tiny-service.ts';

const env = readEnv(serviceEnvSchema);
await start({ name: env.SERVICE_NAME, env, module: TinyModule.forRoot(env) });
