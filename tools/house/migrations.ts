/** What a migration may not do while processes of the release before it run on the same tables, and how it is done. */
const rules = {
  'drops what is read':
    'The release before reads it: drop it in the release after the one that stops reading it, and name that here.',
  renames: 'The release before knows the old name: add the new one, write both, and drop the old one a release later.',
  'changes a type': 'Add a column of the new type, write both, move reads over, drop the old one a release later.',
  'demands a value':
    'The release before writes rows without it: add the column with a default, or leave it nullable until a release later.',
  'demands of old rows':
    'Checking every row shuts the table meanwhile: add the constraint as `not valid`, and validate it in a migration of its own.',
  'drops a constraint': '`on conflict` of the release before needs it.',
  'shuts out writers':
    'Writers wait while an index of a table that was there is made: `create index concurrently`, alone.',
  'writes old rows': 'Rows stay locked until the migration ends: let a job fill them in, a batch at a time.',
  'rewrites a table': 'A default that differs by row writes every row anew, under a lock that readers wait for.',
} as const;

export type MigrationRule = keyof typeof rules;
export type Offence = { readonly rule: MigrationRule; readonly statement: string };

export const adviceOf = (rule: MigrationRule): string => rules[rule];

/** Statements without comments, texts and bodies of functions, in one line each. */
function statementsIn(sql: string): string[] {
  const bare = sql
    .replaceAll(/--[^\n]*|\/\*[\s\S]*?\*\//g, ' ')
    .replaceAll(/\$(\w*)\$[\s\S]*?\$\1\$/g, "''")
    .replaceAll(/'(?:[^']|'')*'/g, "''");
  return bare
    .split(';')
    .map((statement) => statement.replaceAll(/\s+/g, ' ').trim().toLowerCase())
    .filter((statement) => statement !== '');
}

const names = (statements: readonly string[], made: RegExp): Set<string> =>
  new Set(statements.flatMap((statement) => made.exec(statement)?.[1] ?? []));

const volatileDefault = /\bdefault (gen_random_uuid|clock_timestamp|random|nextval|uuidv7|pg_current_xact_id)\s*\(/;

/** The parts of `alter table x a, b (c, d)`, parted at commas outside of brackets. */
function partsOf(alterations: string): string[] {
  const parts = [''];
  let depth = 0;
  for (const sign of alterations) {
    if (sign === '(') depth += 1;
    if (sign === ')') depth -= 1;
    if (sign === ',' && depth === 0) parts.push('');
    else parts.push((parts.pop() ?? '') + sign);
  }
  return parts.map((part) => part.trim());
}

function ofAlteration(part: string): MigrationRule | undefined {
  if (/^rename\b/.test(part)) return 'renames';
  if (/^drop constraint\b/.test(part)) return 'drops a constraint';
  if (/^drop (column )?(?!not null|default|expression|identity)/.test(part)) return 'drops what is read';
  if (/^alter (column )?\S+ (set data )?type\b/.test(part)) return 'changes a type';
  if (/^alter (column )?\S+ (set not null|drop default)/.test(part)) return 'demands a value';
  if (/^add (constraint|check|unique|primary key|foreign key)/.test(part))
    return /\bnot valid\b|\busing index\b/.test(part) ? undefined : 'demands of old rows';
  if (!/^add\b/.test(part)) return undefined;
  if (volatileDefault.test(part)) return 'rewrites a table';
  return /\bnot null\b/.test(part) && !/\b(default|generated)\b/.test(part) ? 'demands a value' : undefined;
}

function ofStatement(statement: string, made: ReadonlySet<string>, madeNow: ReadonlySet<string>) {
  const isNew = (table: string | undefined) => table !== undefined && madeNow.has(table);
  if (/^drop (table|view|materialized view|schema|type|domain|function|procedure|sequence)\b/.test(statement))
    return ['drops what is read' as const];
  if (/^alter (view|function|sequence|type|schema) .* rename\b/.test(statement)) return ['renames' as const];
  const [, table, alterations] = /^alter table (?:if exists )?(?:only )?(\S+) (.*)$/.exec(statement) ?? [];
  if (alterations !== undefined)
    return isNew(table) ? [] : partsOf(alterations).flatMap((part) => ofAlteration(part) ?? []);
  const [, isBeside, indexed] =
    /^create (?:unique )?index (concurrently )?(?:if not exists )?\S+ on (?:only )?([^\s(]+)/.exec(statement) ?? [];
  if (indexed !== undefined) return isBeside !== undefined || isNew(indexed) ? [] : ['shuts out writers' as const];
  const written = /^(?:with .*)?\b(?:update|delete from|truncate(?: table)?) (?:only )?(\S+)/.exec(statement)?.[1];
  return written !== undefined && !isNew(written) && made.has(written) ? ['writes old rows' as const] : [];
}

/** What a migration does to what `before`, the tables of earlier ones, had. */
export function offencesOf(sql: string, before: ReadonlySet<string>): { offences: Offence[]; tables: Set<string> } {
  const statements = statementsIn(sql);
  const madeNow = names(statements, /^create (?:unlogged )?table (?:if not exists )?([^\s(]+)/);
  const tables = new Set([...before, ...madeNow]);
  const offences = statements.flatMap((statement) =>
    ofStatement(statement, tables, madeNow).map((rule) => ({ rule, statement })),
  );
  return { offences, tables };
}
