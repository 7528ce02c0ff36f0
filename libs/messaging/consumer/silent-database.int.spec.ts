import { testServers } from '@caravan/service-kit/testing/servers';
import { startTcpProxy, type TcpProxy } from '@caravan/service-kit/testing/tcp-proxy';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { count, seeing, seenBy } from '../testing/counting.ts';
import { type Pipeline, startPipeline } from '../testing/pipeline.ts';
import { openSuite, type Suite } from '../testing/suite.ts';

let suite: Suite;
let proxy: TcpProxy;
let pipeline: Pipeline;

beforeEach(async () => {
  suite = await openSuite(testServers().kafka[0] ?? '');
  const url = new URL(suite.address.databaseUrl);
  proxy = await startTcpProxy({ host: url.hostname, port: Number(url.port) });
  url.port = String(proxy.port);
  pipeline = startPipeline(suite, [seeing('silent')], {
    // PostgreSQL does not notice: the old session of the relay keeps its locks for as long as the test runs.
    relay: { frozenAfterMs: 3_600_000 },
    pools: { url: url.href, silenceMilliseconds: 1_000 },
  });
});
afterEach(async () => {
  await pipeline.stop();
  await proxy.close();
  await suite.close();
});

test('relay and consumers go on after all their connections to PostgreSQL went silent', async () => {
  await count(suite.store, 'maya', 1, 2);
  await pipeline.idle();
  proxy.silence();
  await count(suite.store, 'maya', 3);
  await pipeline.idle();
  expect(await seenBy(suite.owner, 'silent')).toMatchObject([{ key: 'maya' }, { key: 'maya' }, { key: 'maya' }]);
});
