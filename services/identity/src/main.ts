import { KafkaBatchServer } from '@caravan/messaging/kafka-batch-server';
import { readEnv } from '@caravan/service-kit/env';
import { start } from '@caravan/service-kit/start';
import { AppModule } from './app.module.ts';
import { identityEnvSchema } from './env.ts';
import { runIdentityCommand } from './admin-command.client.ts';

const env = readEnv(identityEnvSchema);
const exitCode = await runIdentityCommand(process.argv.slice(2), env);
if (exitCode === undefined) {
  await start({ name: env.SERVICE_NAME, env, module: AppModule.forRoot(env), strategy: KafkaBatchServer });
} else process.exit(exitCode);
