import { readFileSync } from 'node:fs';
import { createObjectStorage, type ObjectSettings } from '@caravan/service-kit/storage/objects';
import { withoutAdmin } from './admins.ts';
import { type Databases, violations } from './invariants.ts';
import { photosAdrift } from './photos.ts';

// Figures on their way between services show up too: look again before you worry.
const { postgres, s3 } = JSON.parse(readFileSync(process.argv[2] ?? '.caravan/run.json', 'utf8')) as {
  postgres: Databases;
  s3: Omit<ObjectSettings, 'isPathStyle' | 'publicUrl' | 'serviceCredential'>;
};
const objects = createObjectStorage({ ...s3, isPathStyle: true, publicUrl: '', serviceCredential: '' });
const orphans = (await withoutAdmin(postgres.identity)).map((line) => `D3 an organisation has an admin: ${line}`);
const found = [...(await violations(postgres)), ...orphans, ...(await photosAdrift(postgres.activity, objects))];
process.stdout.write(found.length === 0 ? 'Every invariant holds.\n' : `${found.join('\n')}\n`);
process.exitCode = found.length === 0 ? 0 : 1;
