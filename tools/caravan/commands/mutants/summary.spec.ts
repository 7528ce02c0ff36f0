import { expect, test } from 'vitest';
import { scoresIn, tableOf, withTable } from './summary.ts';

const report = {
  files: {
    'b.ts': { mutants: ['Killed', 'Timeout', 'Survived', 'NoCoverage', 'Ignored'].map((status) => ({ status })) },
    'a.ts': { mutants: [{ status: 'Killed' }, { status: 'RuntimeError' }] },
    'c.ts': { mutants: [] },
  },
};

test('a mutation score counts what specs notice of what runs, file by file and together', () => {
  expect(tableOf(scoresIn(report)).split('\n').slice(2)).toEqual([
    '| a.ts | 1 | 1 | 0 | 0 | 100.0 % |',
    '| b.ts | 4 | 2 | 1 | 1 | 50.0 % |',
    '| c.ts | 0 | 0 | 0 | 0 | – |',
    '| all | 5 | 3 | 1 | 1 | 60.0 % |',
  ]);
});

test('a table of mutation scores takes the place of the one on the page, and of nothing else', () => {
  const page = 'Before\n<!-- written by ./caravan mutants -->\nold\n<!-- end -->\nafter';
  const written = withTable(page, 'new');
  expect(written).toBe('Before\n<!-- written by ./caravan mutants -->\n\nnew\n\n<!-- end -->\nafter');
  expect(withTable(written, 'new')).toBe(written);
  expect(() => withTable('Before', 'new')).toThrow('lacks');
});
