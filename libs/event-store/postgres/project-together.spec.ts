import { expect, test } from 'vitest';
import type { Tx } from '../core/event-store.ts';
import { projectTogether } from './postgres-unit.ts';

const does = (key: string, n: number, ...texts: string[]) => ({
  key,
  statements: texts.map((text) => ({ text, rows: [{ n }] })),
});

/** What is issued, in order: the text and its rows. */
async function issueCommands(...commands: ReturnType<typeof does>[]): Promise<string[]> {
  const statements: string[] = [];
  const tx: Tx = {
    query: (text, [rows] = []) => {
      statements.push(`${text} ${(JSON.parse(String(rows)) as { n: number }[]).map(({ n }) => n).join()}`);
      return Promise.resolve({ rows: [], rowCount: 0 });
    },
  };
  await projectTogether(tx, commands);
  return statements;
}

test('commands that do the same share their statements, also those of one key, in their order', async () => {
  const hundred = Array.from({ length: 100 }, (_, n) => does('maya', n, 'insert', 'sum'));
  const all = hundred.map((_, n) => n).join();
  expect(await issueCommands(...hundred)).toEqual([`insert ${all}`, `sum ${all}`]);
  expect(await issueCommands(does('maya', 1, 'insert'), does('omar', 2, 'insert'))).toEqual(['insert 1,2']);
});

test('what does something else than its key’s command before comes after it, whatever others do', async () => {
  expect(
    await issueCommands(
      does('maya', 1, 'insert'),
      does('omar', 2, 'delete'),
      does('maya', 3, 'delete'),
      does('maya', 4, 'insert'),
      does('omar', 5, 'delete'),
    ),
  ).toEqual(['insert 1', 'delete 2,5', 'delete 3', 'insert 4']);
});
