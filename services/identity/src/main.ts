import { KafkaBatchServer } from '@caravan/messaging/kafka-batch-server';
import { readEnv } from '@caravan/service-kit/env';
import { start } from '@caravan/service-kit/start';
import { AppModule } from './app.module.ts';
import { identityEnvSchema } from './env.ts';
import { obeyOperator } from './operator-command.client.ts';

const env = readEnv(identityEnvSchema);
const hasObeyed = await obeyOperator(process.argv.slice(2), env).catch((error: unknown) => {
  process.stderr.write(`${String(error)}\n`);
  process.exit(1);
});
if (!hasObeyed)
  await start({ name: env.SERVICE_NAME, env, module: AppModule.forRoot(env), strategy: KafkaBatchServer });
