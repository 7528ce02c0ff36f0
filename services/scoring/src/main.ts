import { KafkaBatchServer } from '@caravan/messaging/kafka-batch-server';
import { operate } from '@caravan/messaging/operator-command';
import { start } from '@caravan/service-kit/start';
import { AppModule } from './app.module.ts';
import { badgesStream } from './badges/public-events.ts';
import { bonusChallengeStream } from './bonus-challenges/bonus-challenge-stream.ts';
import { env as readEnv } from './env.ts';
import { journeyStream } from './journey/public-events.ts';
import { ledgerStream } from './ledger-stream.ts';
import { weeklyClaimStream } from './weekly-claim-stream.ts';

const env = readEnv();
const module = AppModule.forRoot(env);
const exitCode = await operate(process.argv.slice(2), {
  env,
  module,
  kinds: [badgesStream, bonusChallengeStream, journeyStream, ledgerStream, weeklyClaimStream],
});
if (exitCode === undefined) await start({ name: env.SERVICE_NAME, env, module, strategy: KafkaBatchServer });
else process.exit(exitCode);
