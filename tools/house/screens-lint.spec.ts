import { join } from 'node:path';
import { ESLint } from 'eslint';
import tseslint from 'typescript-eslint';
import { beforeAll, expect, test } from 'vitest';

/** The repository's own configuration without the rules that need a program: the files below do not exist. */
const eslint = new ESLint({
  cwd: join(import.meta.dirname, '../..'),
  overrideConfig: [
    tseslint.configs.disableTypeChecked,
    { files: ['**/*.{ts,tsx}'], languageOptions: { parserOptions: { projectService: false } } },
  ],
});

async function complaintsOf(rule: string, path: string, code: string): Promise<number> {
  const [result] = await eslint.lintText(`${code}\n`, { filePath: path });
  return (result?.messages ?? []).filter(({ ruleId }) => ruleId === `house/${rule}`).length;
}

const screen = 'web/src/features/timer/screen.tsx';

// Loading the rules takes a second, more on a busy machine.
beforeAll(() => complaintsOf('keys-with-requests', screen, ''), 60_000);

test('[D38] only the senders of keyed requests may name an Idempotency-Key in the web app', async () => {
  const rule = 'keys-with-requests';
  const codes = [
    "export const it = { headers: { 'Idempotency-Key': 'a' } };",
    "export const it = (headers: Headers) => headers.set('idempotency-key', 'a');",
    'export const it = (headers: Headers) => headers.set(`Idempotency-Key`, "a");',
  ];
  for (const code of codes) {
    expect(await complaintsOf(rule, screen, code)).toBe(1);
    expect(await complaintsOf(rule, 'web/src/lib/keyed-requests.ts', code)).toBe(0);
  }
});

test('[D38] what changes something is called by its generated operation, whose type demands a key', async () => {
  const code = (method: string) =>
    `import { client } from '../../lib/api/generated/client.gen.ts';\nexport const it = client.${method}({ url: '/api/teams' });`;
  for (const method of ['post', 'put', 'patch', 'delete', 'request'])
    expect(await complaintsOf('keys-with-requests', screen, code(method))).toBe(1);
  expect(await complaintsOf('keys-with-requests', screen, code('get'))).toBe(0);
});

test.each(['date', 'datetime-local', 'time'])('[5.7] only the date field may be an input of type %s', async (type) => {
  for (const code of [
    `export const It = () => <input type="${type}" />;`,
    `export const It = () => <A type={'${type}'} />;`,
  ]) {
    expect(await complaintsOf('date-fields', screen, code)).toBe(1);
    expect(await complaintsOf('date-fields', 'web/src/ui/date-field.tsx', code)).toBe(0);
  }
  expect(await complaintsOf('date-fields', screen, 'export const It = () => <input type="text" />;')).toBe(0);
});

test.each([
  "export const it = new Intl.DateTimeFormat('en');",
  'export const it = Intl.DateTimeFormat().resolvedOptions().timeZone;',
  'export const it = (at: Date) => at.toLocaleDateString();',
  'export const it = (at: Date) => at.toLocaleTimeString();',
  'export const it = (at: Date) => at.toLocaleString();',
  'export const it = (at: Date) => at.getFullYear();',
  'export const it = (at: Date) => at.getTimezoneOffset();',
])('[D10] only the helper may format dates in the web app: %s', async (code) => {
  expect(await complaintsOf('dates-by-the-helper', screen, code)).toBe(1);
  expect(await complaintsOf('dates-by-the-helper', 'web/src/lib/dates.ts', code)).toBe(0);
});

test.each([
  "export const it = (at: Date) => new Intl.DateTimeFormat('en').format(at).split('/');",
  "export const it = (at: Date) => at.toLocaleDateString('en').slice(0, 4);",
  "export const it = (at: Date) => Date.parse(at.toLocaleString('en'));",
  "export const it = (at: Date) => new Date(at.toLocaleString('en'));",
  "export const it = (at: Date) => Number(new Intl.DateTimeFormat('en').format(at));",
  "export const it = new Intl.DateTimeFormat('en-CA');",
  "export const it = (at: Date) => at.toLocaleString('sv');",
])('[D10] a formatted date is not parsed: %s', async (code) => {
  for (const path of [
    screen,
    'libs/contracts/domain/time/local-days.ts',
    'tools/seed/it.ts',
    'services/scoring/src/it.spec.ts',
  ])
    expect(await complaintsOf('no-parsed-dates', path, code)).toBe(1);
});

test('[D37] a line of text does not begin with the dot between two facts', async () => {
  const text = (dot: string) => `export const It = ({ a, b }: Record<string, string>) => <p>{a}${dot}{b}</p>;`;
  expect(await complaintsOf('dots-stick', screen, text(' · '))).toBe(1);
  expect(await complaintsOf('dots-stick', screen, text('&nbsp;· '))).toBe(0);
});

test('[D36] lint refuses what the listed browsers do not know', async () => {
  const [result] = await eslint.lintText('export const it = new EyeDropper();\n', { filePath: screen });
  expect((result?.messages ?? []).map(({ ruleId }) => ruleId)).toContain('compat/compat');
});
