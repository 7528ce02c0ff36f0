import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { javaProgram, quickStart } from './java.ts';
import type { InstanceDir } from './paths.ts';
import { freePort } from './ports.ts';
import type { Supervisor } from './supervisor.ts';
import type { Secrets } from './secrets.ts';
import { propertyValue } from './properties.ts';
import { answers } from './waiting.ts';

/** Where objects are kept, in the terms of any S3. */
export type ObjectStore = { endpoint: string; bucket: string; region: string; accessKey: string; secretKey: string };

const bucket = 'caravan';

/** Starts S3Proxy on a free port over a folder of files, with its bucket made. */
export async function startS3(
  supervisor: Supervisor,
  instanceDir: InstanceDir,
  secrets: Secrets,
): Promise<ObjectStore> {
  const data = join(instanceDir.data, 's3');
  const settingsFile = join(instanceDir.run, 's3proxy.properties');
  const port = await freePort();
  const endpoint = `http://127.0.0.1:${port}`;
  // A bucket of the file-system provider is a folder.
  mkdirSync(join(data, bucket), { recursive: true });
  const settings = {
    's3proxy.endpoint': endpoint,
    's3proxy.authorization': 'aws-v4',
    's3proxy.identity': secrets.s3.accessKey,
    's3proxy.credential': secrets.s3.secretKey,
    's3proxy.cors-allow-origins': '.*',
    's3proxy.cors-allow-methods': 'GET PUT POST HEAD',
    's3proxy.cors-allow-headers': '.*',
    's3proxy.cors-exposed-headers': 'ETag',
    'jclouds.provider': 'filesystem-nio2',
    'jclouds.filesystem.basedir': data,
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name}=${propertyValue(value)}`);
  writeFileSync(settingsFile, `${lines.join('\n')}\n`, { mode: 0o600 });

  await supervisor.start({
    name: 's3',
    kind: 'server',
    ...javaProgram('s3proxy', [...quickStart, '-Xmx192m'], ['org.gaul.s3proxy.Main', '--properties', settingsFile]),
    marker: settingsFile,
    stopSignal: 'SIGTERM',
    isReady: () => answers(port, 'GET / HTTP/1.0\r\n\r\n', 'HTTP/'),
  });
  return { endpoint, bucket, region: 'us-east-1', ...secrets.s3 };
}
