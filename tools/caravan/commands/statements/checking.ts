import type { ServiceName } from '@caravan/contracts/events/topics';
import { differencesOf } from './comparing.ts';
import { Describer } from './describing.ts';
import { Finder, type Found } from './finding.ts';
import { type Counts, type Text, type Texts, textsOf } from './texts.ts';

export type Checked = {
  readonly statements: number;
  readonly texts: number;
  /** Texts whose columns were compared with a type. */
  readonly compared: number;
  readonly errors: readonly string[];
  /** Statements whose text is known only when they are sent, or that no database can describe. */
  readonly unread: readonly string[];
  /** Samples that the code refused, by its message. */
  readonly skipped: Counts;
  /** Calls named like those that send SQL, on receivers of other types. */
  readonly otherReceivers: Counts;
};

type Databases = Readonly<Record<ServiceName, Describer>>;
type Outcome = { readonly errors: readonly string[] } | { readonly why: string };

/** Checks every statement of libs and services against migrated databases, whose URLs it takes. */
export async function checkStatements(urls: Readonly<Record<ServiceName, string>>): Promise<Checked> {
  const { statements, handed, otherReceivers } = new Finder().find();
  const { texts, skipped } = await textsOf(statements, handed);
  const entries = Object.entries(urls).map(([service, url]) => [service, new Describer(url)] as const);
  const databases = Object.fromEntries(entries) as Databases;
  try {
    await Promise.all(Object.values(databases).map((database) => database.open()));
    return Object.assign(await checkOn(databases, statements, texts), { skipped, otherReceivers });
  } finally {
    await Promise.all(Object.values(databases).map((database) => database.close()));
  }
}

async function checkOn(
  databases: Databases,
  statements: readonly Found[],
  all: readonly Texts[],
): Promise<Omit<Checked, 'skipped' | 'otherReceivers'>> {
  const errors = new Set<string>();
  const unread = new Set<string>();
  let texts = 0;
  let compared = 0;
  for (const [nth, { file, line }] of statements.entries()) {
    const known = all[nth] ?? { why: 'it was not evaluated' };
    const read = 'texts' in known ? known.texts : [];
    const outcomes: Outcome[] = 'why' in known ? [known] : [];
    for (const text of read) outcomes.push(await outcomeOf(file, text, databases));
    for (const outcome of outcomes)
      if ('why' in outcome) unread.add(`${file}:${line} ${outcome.why}`);
      else for (const error of outcome.errors) errors.add(`${file}:${line} ${error}`);
    texts += read.length;
    compared += read.filter(({ row }) => row).length;
  }
  return { statements: statements.length, texts, compared, errors: [...errors], unread: [...unread] };
}

// Samples may leave holes in a text, and a text of several statements cannot be described.
const syntaxError = '42601';

/** A statement of a library is right when one database takes it. */
async function outcomeOf(file: string, { text, row }: Text, databases: Databases): Promise<Outcome> {
  const [, service] = /^services\/(\w+)\//.exec(file) ?? [];
  const candidates = service === undefined ? Object.values(databases) : [databases[service as ServiceName]];
  let outcome: Outcome = { errors: [] };
  for (const database of candidates) {
    const answer = await database.describe(text);
    if ('columns' in answer) return { errors: row ? differencesOf(text, answer.columns, row) : [] };
    outcome = answer.code === syntaxError ? { why: answer.error } : { errors: [answer.error] };
  }
  return outcome;
}
