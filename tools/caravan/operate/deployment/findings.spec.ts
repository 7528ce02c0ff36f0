import { expect, test } from 'vitest';
import { heldFindings } from './databases.ts';
import { certificateIs } from './surroundings.ts';

const nobody = { oldest: undefined, prepared: [], slots: [] };
const marks = (held: Parameters<typeof heldFindings>[1]) =>
  heldFindings('scoring database', held).map(({ mark, details }) => `${mark} ${details}`);

test('nobody is told of who holds nothing, or not for long', () => {
  const session = { pid: 7, application: 'psql', role: 'ida', state: 'idle in transaction' };
  const prepared = [{ name: 'move', owner: 'ida', ageSeconds: 59 }];
  const slots = [{ name: 'standby', isActive: true, bytes: 5_000_000 }];
  expect(marks(nobody)).toEqual([]);
  expect(marks({ oldest: { ...session, ageSeconds: 59 }, prepared, slots })).toEqual([]);
});

test('a forgotten session, a prepared transaction and a slot without a reader are told with what mends them', () => {
  const oldest = { pid: 7, application: 'psql', role: 'ida', state: 'idle in transaction', ageSeconds: 61.4 };
  expect(marks({ ...nobody, oldest })).toEqual([
    '! psql (ida, pid 7, idle in transaction) has held a snapshot for 61 s',
  ]);
  expect(marks({ ...nobody, prepared: [{ name: 'move', owner: 'ida', ageSeconds: 600 }] })).toEqual([
    '✗ ida prepared the transaction move 600 s ago: commit or roll it back',
  ]);
  const slots = [
    { name: 'gone', isActive: false, bytes: 12_300_000 },
    { name: 'slow', isActive: true, bytes: 2_000_000_000 },
  ];
  expect(marks({ ...nobody, slots })).toEqual([
    '✗ the replication slot gone has no reader and keeps 13 MB of the log: bring its reader back, or drop it',
    '✗ the replication slot slow has a slow reader and keeps 2000 MB of the log: bring its reader back, or drop it',
  ]);
});

test('a certificate needs somebody fourteen days before it ends', () => {
  const now = new Date('2026-11-23T12:00:00Z');
  const markAt = (end: string) => certificateIs('certificate', new Date(end), now).mark;
  expect(markAt('2026-12-08T12:00:00Z')).toBe('✓');
  expect(markAt('2026-12-06T12:00:00Z')).toBe('✗');
  expect(markAt('2026-11-22T12:00:00Z')).toBe('✗');
});
