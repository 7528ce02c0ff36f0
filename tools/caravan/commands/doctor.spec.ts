import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { openBreakers } from './doctor.ts';
import type { RunFile } from '../servers/instance-files.ts';

test('[S42] the parts that nobody asks are read from the figures of the services, by the credential', async () => {
  const figures = [
    'caravan_breaker_state{dependency="redis",service="scoring"} 2',
    'caravan_breaker_state{service="scoring",dependency="postgres"} 1',
    'caravan_breaker_state{dependency="kafka",service="scoring"} 0',
    'caravan_outbox_rows{service="scoring"} 2',
  ].join('\n');
  const server = createServer(({ headers }, response) =>
    response.end(headers['x-service-credential'] === 'secret' ? figures : ''),
  ).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  const services = { scoring: `http://127.0.0.1:${port}`, social: 'http://127.0.0.1:9' };
  expect(await openBreakers({ services, serviceCredential: 'secret' } as unknown as RunFile)).toEqual([
    { service: 'scoring', dependency: 'redis' },
    { service: 'scoring', dependency: 'postgres' },
    { service: 'nobody', dependency: 'social' },
  ]);
  server.close();
});
