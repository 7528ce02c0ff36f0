import { eventually } from '@caravan/event-store/testing/eventually';
import { topics } from '@caravan/contracts/events/topics';
import { asPeer } from '@caravan/service-kit/testing/peer';
import { startTestService, type TestService } from '@caravan/service-kit/testing/service';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { KafkaBatchServer } from '../consumer/kafka-batch-server.ts';
import type { Kafka } from '../kafka/kafka-port.ts';
import { KafkaClient } from '../kafka/kafka-client.ts';
import { parkedRows } from './deliver.ts';
import { envelope } from './envelope.ts';
import { Heard, HearOnceMore, HearWhenCounted, TinyConsumersModule } from './tiny-consumers.ts';

let service: TestService;
let heard: Heard;
let kafka: Kafka;

beforeAll(async () => {
  service = await startTestService({
    service: 'social',
    module: (env) => TinyConsumersModule.forRoot(env),
    strategy: KafkaBatchServer,
    env: { READ_WAIT_MILLISECONDS: '1000' },
  });
  heard = service.app.get(Heard);
  kafka = service.app.get<Kafka>(KafkaClient);
  await kafka.ensureTopics([topics.activity]);
});
afterAll(() => service.close());

const say = (key: string, position: number, headers: Record<string, string> = {}) =>
  kafka.send(topics.activity.name, [{ key, value: envelope(key, position), headers }]);
const trace = '0af7651916cd43dd8448eb211c80319c';

describe('a service with consumers', () => {
  test('hands the parsed event to the method that consumes it, in the trace that caused it', async () => {
    await say('maya', 1, { traceparent: `00-${trace}-b7ad6b7169203331-01` });
    await eventually(() => expect(heard.numbers).toEqual([1]));
    expect(heard.traceIds).toEqual([trace]);
  });

  test('parks the key of a message that the method refuses, under the code of the refusal', async () => {
    await say('omar', 13);
    await say('omar', 14);
    await eventually(async () => expect((await parkedRows(service.pool)).map(({ n }) => n)).toEqual([13, 14]));
    expect((await parkedRows(service.pool))[0]?.errorCode).toBe('hearing/unlucky');
  });

  test('lets a reader wait for what the reader wrote elsewhere', async () => {
    const reading = (min: string) =>
      fetch(`${service.url}/api/heard`, { headers: { ...asPeer, 'x-min-position': min } });
    const waiting = reading('activity:20,identity:x');
    await say('maya', 20);
    const fresh = await waiting;
    expect(fresh.headers.get('x-stale')).toBeNull();
    expect(await fresh.json()).toEqual({ numbers: [1, 20] });

    let go = () => undefined as void;
    heard.mayApply = new Promise<void>((resolve) => (go = resolve));
    await say('maya', 21);
    expect((await reading('activity:21')).headers.get('x-stale')).toBe('true');
    go();
    await eventually(async () => expect((await reading('activity:21')).headers.get('x-stale')).toBeNull());
  });

  test('reports lag, age, backlog and parked keys', async () => {
    const text = await (await fetch(`${service.url}/metrics`, { headers: asPeer })).text();
    expect(text).toMatch(/caravan_outbox_rows\{service="social"\} 0/);
    expect(text).toMatch(/caravan_parked_keys\{group="social.hear",service="social"\} 1/);
    expect(text).toMatch(/caravan_consumer_lag_messages\{group="social.hear",topic="activity.v1",service="social"\} 0/);
    expect(text).toMatch(/caravan_consumer_offset\{group="social.hear",topic="activity.v1",service="social"\} \d/);
    expect(text).toMatch(/caravan_consumer_without_progress_seconds\{group="social.hear",service="social"\} \d/);
    expect(text).toMatch(/caravan_background_late\{kind="consumer",task="social.hear",service="social"\} 0/);
    expect(text).toMatch(/caravan_message_age_seconds_count\{service="social",group="social.hear"\} 3/);
  });

  test('does not start when two methods consume the same event in one group', async () => {
    const twice = startTestService({
      service: 'social',
      module: (env) => TinyConsumersModule.forRoot(env, [HearWhenCounted, HearOnceMore]),
      strategy: KafkaBatchServer,
    });
    await expect(twice).rejects.toThrow('Group social.hear has two handlers for Counted v1 of activity.');
  });
});
