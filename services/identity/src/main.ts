import { runAdminCommand } from '@caravan/messaging/operator/admin-command';
import { KafkaBatchServer } from '@caravan/messaging/consumer/kafka-batch-server';
import { readEnv } from '@caravan/service-kit/process/env';
import { start } from '@caravan/service-kit/http/start';
import { AppModule, rebuildable } from './app.module.ts';
import { identityEnvSchema } from './env.ts';
import { handleAdminCommand } from './operator/operator.service.ts';

const env = readEnv(identityEnvSchema);
const args = process.argv.slice(2);
const module = AppModule.forRoot(env);
const handle = () => handleAdminCommand(args, { env, module });
const exitCode = await runAdminCommand(args, { env, module, ...rebuildable, handle });
if (exitCode === undefined) await start({ name: env.SERVICE_NAME, env, module, strategy: KafkaBatchServer });
else process.exit(exitCode);
