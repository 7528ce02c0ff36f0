import { KafkaBatchServer } from '@caravan/messaging/consumer/kafka-batch-server';
import { runAdminCommand } from '@caravan/messaging/operator/admin-command';
import { start } from '@caravan/service-kit/http/start';
import { AppModule, rebuildable } from './app.module.ts';
import { env as readEnv } from './env.ts';

const env = readEnv();
const module = AppModule.forRoot(env);
const exitCode = await runAdminCommand(process.argv.slice(2), { env, module, ...rebuildable });
if (exitCode === undefined) await start({ name: env.SERVICE_NAME, env, module, strategy: KafkaBatchServer });
else process.exit(exitCode);
