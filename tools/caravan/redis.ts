import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { InstanceDir } from './paths.ts';
import { freePort } from './ports.ts';
import type { Supervisor } from './supervisor.ts';
import { redisQuoted } from './properties.ts';
import type { Secrets } from './secrets.ts';
import { answers } from './waiting.ts';

/**
 * Starts Redis on a free port. Everything in it can be rebuilt, so nothing is logged per write (no AOF): a snapshot is
 * kept when it is stopped in order and every five minutes.
 */
export async function startRedis(supervisor: Supervisor, instanceDir: InstanceDir, secrets: Secrets): Promise<string> {
  const data = join(instanceDir.data, 'redis');
  const settingsFile = join(instanceDir.run, 'redis.conf');
  const port = await freePort();
  mkdirSync(data, { recursive: true });
  const settings = {
    port,
    bind: '127.0.0.1',
    dir: redisQuoted(data),
    requirepass: secrets.redis,
    appendonly: 'no',
    save: '300 1',
    // BullMQ's jobs must never be evicted.
    'maxmemory-policy': 'noeviction',
    // The command line stays as it was started: by it an orphan is recognised.
    'set-proc-title': 'no',
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name} ${value}`);
  writeFileSync(settingsFile, `${lines.join('\n')}\n`, { mode: 0o600 });
  await supervisor.start({
    name: 'redis',
    kind: 'server',
    command: 'redis-server',
    args: [settingsFile],
    marker: settingsFile,
    stopSignal: 'SIGTERM',
    isReady: () => answers(port, `AUTH ${secrets.redis}\r\n`, '+OK'),
  });
  return `redis://:${secrets.redis}@127.0.0.1:${port}`;
}
