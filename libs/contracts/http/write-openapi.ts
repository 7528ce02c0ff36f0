import { readFileSync, writeFileSync } from 'node:fs';
import { openApiDocument } from './openapi.ts';

// With --check it only compares and fails on a difference.
const file = new URL('../../../docs/api/openapi.json', import.meta.url);
const wanted = `${JSON.stringify(openApiDocument(), null, 2)}\n`;
if (process.argv.includes('--check')) {
  if (readFileSync(file, 'utf8') !== wanted) {
    process.stderr.write('docs/api/openapi.json is out of date: run `npx tsx libs/contracts/http/write-openapi.ts`.\n');
    process.exitCode = 1;
  }
} else {
  writeFileSync(file, wanted);
}
