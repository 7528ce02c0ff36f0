import { expect, test } from 'vitest';
import { announcingMigrations, isMigration } from './changed-migrations.ts';

test.each([
  ['scoring/prisma/migrations/20260115001000_scoring_baseline/migration.sql', true],
  ['event-store/migrations/1_events.sql', true],
  ['scoring/src/ledger/miles.query.ts', false],
  ['scoring/prisma/schema.prisma', false],
])('%s is a migration: %s', (file, expected) => expect(isMigration(file)).toBe(expected));

test('a developer is told once that a changed migration needs a restart', () => {
  const printed: string[] = [];
  const announce = announcingMigrations((line) => printed.push(line));
  for (let nth = 0; nth < 3; nth += 1) announce('scoring/prisma/migrations/2_more/migration.sql');
  expect(printed).toEqual([expect.stringContaining('The migration 2_more changed')]);
});
