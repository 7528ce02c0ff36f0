import { randomUUID } from '@caravan/contracts/testing/seeded';
import { eventually } from '@caravan/event-store/testing/eventually';
import { DemoFilling } from '@caravan/service-kit/storage/demo-filling';
import { closeRedis, createPatientRedis } from '@caravan/service-kit/storage/redis';
import { testServers } from '@caravan/service-kit/testing/servers';
import { afterAll, expect, test } from 'vitest';
import { type GatewayUnderTest, startGatewayUnderTest } from '../../testing/gateway.ts';

const prefix = `gw-${randomUUID()}:`;
const redis = createPatientRedis({ url: testServers().redis, prefix, name: 'launcher' });
afterAll(() => closeRedis(redis));

const startGateway = (): Promise<GatewayUnderTest> =>
  startGatewayUnderTest((_, response) => void response.end('{}'), { METRICS_PORT: 0, REDIS_PREFIX: prefix });

async function noticeAt({ gateway }: GatewayUnderTest, method = 'GET'): Promise<string | null> {
  const page = await fetch(`${gateway.url}/dashboard`, { method });
  return page.headers.get('server-timing');
}

test('[D26] a page that is opened while the demo is being filled says so until the demo is there', async () => {
  const filling = new DemoFilling(redis);
  await filling.begin();
  const under = await startGateway();
  await eventually(async () => expect(await noticeAt(under)).toBe('demo-filling'));
  expect(await noticeAt(under, 'HEAD')).toBe('demo-filling');
  await filling.end();
  await eventually(async () => expect(await noticeAt(under, 'HEAD')).toBeNull());
  await under.close();
});

test('a page of an instance whose demo is there, or that has none, says nothing of it', async () => {
  const under = await startGateway();
  expect(await noticeAt(under)).toBeNull();
  await under.close();
});
