import { checkEventsDocument } from './events-document-check.ts';
import { documents, wordsIn } from './documents.ts';
import { stalePages, writeGeneratedPages } from './generated.ts';

// Writes the generated pages; --check compares them and validates the document of events, --words counts by document.
if (process.argv.includes('--check')) {
  await checkEventsDocument();
  const stale = await stalePages();
  if (stale.length > 0) {
    process.stderr.write(`Out of date: ${stale.join(', ')}. Run \`./caravan docs --write\`.\n`);
    process.exitCode = 1;
  }
} else if (process.argv.includes('--words')) {
  const counted = documents().map((document) => ({ path: document.path, words: wordsIn(document) }));
  for (const { path, words } of counted.toSorted((one, other) => other.words - one.words))
    if (words > 0) process.stdout.write(`${String(words).padStart(6)} ${path}\n`);
  process.stdout.write(`${String(counted.reduce((sum, { words }) => sum + words, 0)).padStart(6)} in all\n`);
} else {
  await writeGeneratedPages();
}
