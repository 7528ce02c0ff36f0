import { expect, test } from 'vitest';
import { affectedSpecs, importsOf } from './affected.ts';

const imports: Record<string, string[]> = {
  'libs/contracts/domain/movement/miles.ts': [],
  'libs/contracts/domain/movement/miles.spec.ts': ['libs/contracts/domain/movement/miles.ts'],
  'services/scoring/src/ledger/ledger.ts': ['libs/contracts/domain/movement/miles.ts'],
  'services/scoring/src/ledger/ledger.spec.ts': ['services/scoring/src/ledger/ledger.ts'],
  'services/scoring/src/ledger/miles.int.spec.ts': ['services/scoring/src/ledger/ledger.ts'],
  'services/social/src/feed/feed.int.spec.ts': [],
  'web/src/features/feed/feed.spec.tsx': [],
  'tools/house/titles.spec.ts': [],
};
const others = ['services/scoring/prisma/migrations/1/migration.sql', 'libs/messaging/migrations/1/migration.sql'];
const files = [...Object.keys(imports), ...others, 'package-lock.json', 'docs/develop/design/testing.md'];
const specs = files.filter((file) => file.includes('.spec.'));
const affectedBy = (...changed: string[]) =>
  affectedSpecs({ files, importsOf: (file) => imports[file] ?? [] }, specs, changed).toSorted();

const house = 'tools/house/titles.spec.ts';

test('a change affects the specs that import it through other files, and those that read all sources', () => {
  expect(affectedBy('libs/contracts/domain/movement/miles.ts')).toEqual([
    'libs/contracts/domain/movement/miles.spec.ts',
    'services/scoring/src/ledger/ledger.spec.ts',
    'services/scoring/src/ledger/miles.int.spec.ts',
    house,
  ]);
  expect(affectedBy('docs/develop/design/testing.md')).toEqual([house]);
});

test('a changed spec is affected itself, and nothing else', () => {
  expect(affectedBy('services/social/src/feed/feed.int.spec.ts')).toEqual([
    'services/social/src/feed/feed.int.spec.ts',
    house,
  ]);
});

test('a changed migration of a service affects all specs of the service, one of a library all services', () => {
  const ofScoring = ['services/scoring/src/ledger/ledger.spec.ts', 'services/scoring/src/ledger/miles.int.spec.ts'];
  expect(affectedBy('services/scoring/prisma/migrations/1/migration.sql')).toEqual([...ofScoring, house]);
  expect(affectedBy('libs/messaging/migrations/1/migration.sql')).toEqual([
    'services/scoring/src/ledger/miles.int.spec.ts',
    'services/social/src/feed/feed.int.spec.ts',
    house,
  ]);
});

test('changed packages affect every spec', () => {
  expect(affectedBy('package-lock.json')).toEqual([...specs].toSorted());
});

test('imports of a source are found in its own package and in others of the repository', () => {
  expect(importsOf('tools/caravan/commands/tests/test.ts')).toEqual(
    expect.arrayContaining(['tools/caravan/commands/tests/affected.ts', 'libs/contracts/events/topics.ts']),
  );
});
