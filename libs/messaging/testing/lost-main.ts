import { readEnv, serviceEnvSchema } from '@caravan/service-kit/process/env';
import { start } from '@caravan/service-kit/http/start';
import { KafkaBatchServer } from '../consumer/kafka-batch-server.ts';
import { neverAnswerJoins } from './failing-requests.ts';
import { HearWhenCounted, TinyConsumersModule } from './tiny-consumers.ts';

// A service whose consumer group never joins, although Kafka answers everything else.
neverAnswerJoins();
const env = readEnv(serviceEnvSchema);
const settings = { kafka: { sessionTimeoutMs: 2_500, heartbeatMs: 500, maxWaitMs: 100 }, watchEveryMs: 100 };
const module = TinyConsumersModule.forRoot(env, [HearWhenCounted], settings);
await start({ name: env.SERVICE_NAME, env, module, strategy: KafkaBatchServer });
