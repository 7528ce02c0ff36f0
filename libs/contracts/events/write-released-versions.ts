import { writeFileSync } from 'node:fs';
import { takenVersions } from './all-events.ts';

// When a release is cut: what its processes take is what the next one may publish.
const file = new URL('released-versions.json', import.meta.url);
writeFileSync(file, `${JSON.stringify(takenVersions(), null, 2)}\n`);
