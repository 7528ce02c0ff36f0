import { expect, test } from 'vitest';
import { citedNumbers, redirected } from './redirects.ts';

const targets = new Map([
  ['0001', '0001'],
  ['0002', '0001'],
  ['0003', 'design/database.md'],
]);

test('a citation of a former decision names the decision that includes it', () => {
  expect(redirected('// Locks first (ADR 0002).', targets)).toBe('// Locks first (ADR 0001).');
  expect(redirected('ADR 0001, 0002', targets)).toBe('ADR 0001');
});

test('a citation of a decision that became a design note names the note', () => {
  expect(redirected('/** One plan (ADR 0003). */', targets)).toBe('/** One plan (design/database.md). */');
  expect(redirected('ADR 0002, 0003', targets)).toBe('ADR 0001, design/database.md');
});

test('a title keeps decisions and loses design notes', () => {
  expect(redirected("test('[D8 ADR-0002] a log', …)", targets)).toBe("test('[D8 ADR-0001] a log', …)");
  expect(redirected("test('[ADR-0003] a plan', …)", targets)).toBe("test('a plan', …)");
});

test('a path into the former folder of decisions becomes a citation', () => {
  expect(redirected('(docs/adr/0002-kafka.md)', targets)).toBe('(ADR 0001)');
  expect(citedNumbers('docs/adr/0002-kafka.md')).toEqual(['docs/adr/0002']);
});

test('a citation is found when its comment continues on the next line', () => {
  expect(citedNumbers('-- in one row (ADR\n-- 0076). See ADR-0001')).toEqual(['0076', '0001']);
});
