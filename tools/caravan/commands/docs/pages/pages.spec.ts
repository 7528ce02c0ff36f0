import { describe, expect, test } from 'vitest';
import { usage } from '../../usage.ts';
import { decisionIn } from './adr-index.ts';
import { commandsIn } from './commands-page.ts';
import { fieldsIn, typeIn } from './json-schema.ts';
import { metrics, metricsIn } from './metrics-page.ts';
import { shortWords, sortFindings } from './performance-page.ts';

test('the page on commands reads every command of the help text with what it does', () => {
  const commands = commandsIn(usage);
  expect(commands.find(({ call }) => call.startsWith('docs'))?.does).toMatch(/^serve the documentation site/);
  expect(commands.find(({ call }) => call.startsWith('close-organisation'))?.does).toMatch(/^close an organisation/);
  expect(commands.filter(({ does }) => does === '')).toEqual([]);
});

describe('a decision', () => {
  const text =
    '# 0007 A title\n\n- Status: accepted\n- Date: 2026-11-21\n- Topic: Data\n- Includes: 0008, 0009\n\n## Context\n';

  test('a decision record is parsed into number, title, date, topic and the decisions it includes', () => {
    const { number, title, date, topic, includes } = decisionIn('0007-a-title.md', text);
    expect([number, title, date, topic, includes]).toEqual(['0007', 'A title', '2026-11-21', 'Data', ['0008', '0009']]);
  });

  test('a decision record without a date is refused', () => {
    expect(() => decisionIn('0007-a-title.md', text.replace('- Date: 2026-11-21\n', ''))).toThrow('0007-a-title.md');
  });
});

describe('fields of a schema', () => {
  test('fields of objects in lists are named by their path', () => {
    const team = { type: 'object', properties: { name: { type: 'string', maxLength: 40 } }, required: ['name'] };
    const schema = { type: 'object', properties: { teams: { type: 'array', items: team } } };
    expect(fieldsIn(schema)).toEqual([
      { path: 'teams', type: 'list of object', isRequired: false },
      { path: 'teams[].name', type: 'string, to 40 characters', isRequired: true },
    ]);
  });

  test('fields with choices name each choice', () => {
    expect(typeIn({ anyOf: [{ enum: ['a', 'b'] }, { type: 'null' }] })).toBe('"a" or "b" or null');
  });
});

describe('the page on metrics', () => {
  test('finds a help text beside the name and one in a constant', () => {
    const source =
      "const help = 'Refused.';\ncounter('caravan_a_total', help, []);\ngauge({ name: 'caravan_b', help: 'Open.' })";
    expect(metricsIn(source)).toEqual([
      { name: 'caravan_a_total', help: 'Refused.' },
      { name: 'caravan_b', help: 'Open.' },
    ]);
  });

  test('the page on metrics explains every metric', () => {
    expect(metrics().length).toBeGreaterThan(30);
    expect(metrics().filter(({ help }) => help === '')).toEqual([]);
  });
});

describe('the page on performance', () => {
  const finding = (goal: string, verdict: 'met' | 'missed') => ({ goal, verdict, what: '', figure: '', wanted: '' });

  test('the performance page lists missed goals before met ones, each in the order of the goals', () => {
    const findings = [finding('G1', 'met'), finding('G3', 'missed'), finding('G2', 'missed')];
    expect(sortFindings(findings, ['G1', 'G2', 'G3']).map(({ goal }) => goal)).toEqual(['G2', 'G3', 'G1']);
  });

  test('leaves out what stands in brackets, and cuts long words at a space', () => {
    expect(shortWords('p50 of a log (5 rounds)')).toBe('p50 of a log');
    expect(shortWords('word '.repeat(40)).length).toBeLessThanOrEqual(102);
  });
});
