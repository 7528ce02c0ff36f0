import { KafkaBatchServer } from '@caravan/messaging/kafka-batch-server';
import { start } from '@caravan/service-kit/start';
import { AppModule } from './app.module.ts';
import { env as readEnv } from './env.ts';

const env = readEnv();
await start({ name: env.SERVICE_NAME, env, module: AppModule.forRoot(env), strategy: KafkaBatchServer });
