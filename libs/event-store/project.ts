import type { Tx } from './event-store.ts';
import { OpenTransaction } from './open-transaction.ts';
import { valuesOf, type Statement } from './projection.ts';

/** What the read models do because of one command; those of one key stay in order. */
export type Projecting = { readonly key: string; readonly statements: readonly Statement[] };

/** Issues statements in order. Nobody needs their answers: on an open transaction they travel with what comes next. */
export async function project(tx: Tx, statements: readonly Statement[]): Promise<void> {
  if (tx instanceof OpenTransaction) for (const statement of statements) tx.defer(statement.text, valuesOf(statement));
  else await Promise.all(statements.map((statement) => tx.query(statement.text, valuesOf(statement))));
}

/**
 * Issues what several commands of one transaction do. Commands that do the same things do them by the same statements,
 * each with the rows of all of them; a second command of one key comes after the first.
 */
export async function projectTogether(tx: Tx, all: readonly Projecting[]): Promise<undefined[]> {
  const turns: Map<string, (readonly Statement[])[]>[] = [];
  const counts = new Map<string, number>();
  for (const { key, statements } of all) {
    const turn = counts.get(key) ?? 0;
    counts.set(key, turn + 1);
    const alike = (turns[turn] ??= new Map<string, (readonly Statement[])[]>());
    const texts = statements.map(({ text }) => text).join('\n');
    alike.set(texts, [...(alike.get(texts) ?? []), statements]);
  }
  const issued = turns.flatMap((alike) => [...alike.values()].flatMap(merged));
  await project(tx, issued);
  return all.map(() => undefined);
}

/** Lists of the same statements, statement by statement. */
function merged(lists: readonly (readonly Statement[])[]): Statement[] {
  const [first = []] = lists;
  return first.flatMap((statement, nth) => {
    const same = lists.flatMap((list) => list[nth] ?? []);
    const rows = same.flatMap((one) => ('rows' in one ? one.rows : []));
    return 'rows' in statement ? [{ text: statement.text, rows }] : same;
  });
}
