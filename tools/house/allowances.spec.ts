import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const sources = globSync('{services,libs,gateway}/**/*.ts', { cwd: root, exclude: ['**/node_modules/**'] }).filter(
  (path) => !/[.]spec[.]ts$|\/testing\//.test(path),
);

/** Counts of attempts, whose points are given back by rules of their own. Everything else is charged by `Limits.charge`. */
const countingAttempts: Readonly<Record<string, string>> = {
  'gateway/src/admission/admission-control.ts': 'tokens that are refused count, and those that are good do not',
  'gateway/src/admission/leases.ts': 'requests of a minute count, whatever is answered',
  'services/activity/src/companion/wanted-links.client.ts': 'questions to other sites count, whatever they answer',
  'services/identity/src/credentials/attempts.service.ts': 'guesses count, and what was none is given back',
  'services/integrations/src/webhooks/deliveries.service.ts': 'notices of a platform count once they are stored',
};

test('[D38] an allowance is charged together with the work that it allows', () => {
  const takers = sources.filter((path) => /\blimits\s*[.]take\(/.test(readFileSync(join(root, path), 'utf8')));
  expect(takers.toSorted()).toEqual(Object.keys(countingAttempts).toSorted());
});
