import type { Call } from './send.ts';

const id = '019c0000-0000-7000-8000-000000000001';
const instants = [
  '0000-01-01T00:00:00Z',
  '-000001-01-01T00:00:00Z',
  '9999-12-31T23:59:59Z',
  '+010000-01-01T00:00:00Z',
  `2026-01-01T00:00:00.${'1'.repeat(90)}Z`,
];
const dates = ['0000-01-01', '-000001-01-01', '9999-12-31', '10000-01-01', '2026-02-30', 'infinity'];
const numbers = ['-1', '0', '1.5', '1e400', '99999999999999999999', 'NaN'];

export const hostileTexts: readonly string[] = [
  ...[...dates, ...instants, ...numbers].map(encodeURIComponent),
  // NUL, half a character, a byte that is no UTF-8.
  ...['', '%00', 'a%00b', '%ED%A0%80', '%FF', 'x'.repeat(5_000), '__proto__', 'null', '[]', "';--"].map((text) =>
    text.startsWith('%') || text.includes('%00') ? text : encodeURIComponent(text),
  ),
];

export function tamperedTokens(own: string | undefined): string[] {
  const keys: unknown[] = [
    ...instants.map((instant) => [instant, id]),
    ...dates.map((date) => [date, '2026-01-01T00:00:00Z', id]),
    ...instants.map((instant) => ['2026-01-01', instant, id]),
    ...dates.map((date) => ['active', date, id]),
    ...instants.map((instant) => ['joined', instant, id]),
    ...['a\0b', '\ud800', 'x'.repeat(300)].map((name) => ['name', name, id]),
    ...[1e300, -1e300, 1e15, 2 ** 53, 1.5].map((miles) => ['miles', miles, id]),
    null,
    {},
    [],
    [[]],
    'text',
    7,
  ];
  const made = keys.map((key) => Buffer.from(JSON.stringify(key)).toString('base64url'));
  return own === undefined ? made : [...made, own.slice(1), `${own}AAAA`, own.toUpperCase()];
}

/** The last two are too large, the second for all operations. */
export const hostileBodies: readonly string[] = [
  '',
  '{',
  'null',
  '[]',
  '[[]]',
  '7',
  '"text"',
  '[null]',
  '{"__proto__":{"a":1}}',
  '['.repeat(100) + ']'.repeat(100),
  JSON.stringify({ filler: 'x'.repeat(110_000) }),
  JSON.stringify({ filler: 'x'.repeat(1_100_000) }),
];

const values: readonly unknown[] = [
  null,
  [],
  {},
  [null],
  -1,
  0,
  1.5,
  1e300,
  Number.MAX_SAFE_INTEGER,
  '',
  ' ',
  'a\0b',
  '\ud800',
  '\u200b',
  ...dates,
  ...instants,
  '+01:23',
  'x'.repeat(3_000),
  '__proto__',
  ['x', 'x', 'x', 'x'],
  [{}, {}],
];

export function bodiesOf(body: NonNullable<Call['body']>, fields: readonly string[] = []): string[] {
  if (Array.isArray(body)) {
    const [first = {}] = body as readonly object[];
    return bodiesOf(first as Readonly<Record<string, unknown>>, fields).map((item) => `[${item}]`);
  }
  const one = body as Readonly<Record<string, unknown>>;
  const names = [...new Set([...Object.keys(body), ...fields])];
  return names.flatMap((name) => values.map((value) => JSON.stringify({ ...one, [name]: value })));
}
