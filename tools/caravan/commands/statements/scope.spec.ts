import { runInNewContext } from 'node:vm';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import { unknownText } from './sampling.ts';
import { Scope, Unreadable } from './scope.ts';

type TextsOf = { readonly own: () => unknown; readonly byCalls: () => unknown[] };

/** The texts of the statement that `send(…)` gets in this file, as they are made with samples and by calls. */
function textsIn(
  source: string,
  skipSample: (error: unknown) => unknown = (error) => expect.unreachable(String(error)),
): TextsOf {
  const name = '/source.ts';
  const options: ts.CompilerOptions = { strict: true, target: ts.ScriptTarget.ES2024, lib: ['lib.es2024.d.ts'] };
  const host = ts.createCompilerHost(options);
  const read = host.getSourceFile.bind(host);
  const own = ts.createSourceFile(name, source, ts.ScriptTarget.ES2024, true);
  host.getSourceFile = (file, version) => (file === name ? own : read(file, version));
  const program = ts.createProgram([name], options, host);
  const scope = new Scope(program.getTypeChecker(), [own]);
  const text = sentIn(own);
  const run = (make: string): unknown => {
    const handedIn = (nth: number, others: readonly number[]): unknown =>
      [...(others.length > 0 ? others : [nth])].flatMap((each) => run(scope.handed[each]?.make ?? ''));
    const { outputText } = ts.transpileModule(`${source};\n(${make})`, { compilerOptions: options });
    return runInNewContext(outputText, { handedIn, globalThis: { handedIn, skipSample }, send: () => undefined });
  };
  return {
    own: () => run(scope.make(text)),
    byCalls: () => scope.makeByCalls(text).flatMap(({ make }) => run(make)),
  };
}

function sentIn(source: ts.SourceFile): ts.Expression {
  let found: ts.Expression | undefined;
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && node.expression.getText() === 'send') [found] = node.arguments;
    ts.forEachChild(node, visit);
  };
  visit(source);
  if (!found) throw new Error('nothing is sent');
  return found;
}

describe('the text of a statement is known', () => {
  test.each([
    ['of a constant of its file', "const sql = 'select 1'; send(sql);", ['select 1']],
    [
      'of fragments that functions answer',
      'const of = (t: string) => `${t}.id`; const f = () => { send(`select ${of("p")}`); };',
      ['select p.id'],
    ],
    [
      'of a constant of its function',
      "const f = () => { const where = 'true'; send(`select where ${where}`); };",
      ['select where true'],
    ],
    [
      'for each value of a parameter that has few',
      "const f = (by: 'name' | 'age') => { send(`order by ${by}`); };",
      ['order by name', 'order by age'],
    ],
    [
      'for each property of a parameter',
      "const f = ({ isNew }: { isNew: boolean; n: number }) => { send(isNew ? 'new' : 'old'); };",
      ['old', 'new'],
    ],
    [
      'for each element of a list',
      "const f = () => { for (const t of ['a', 'b']) send(`delete from ${t}`); };",
      ['delete from a', 'delete from b'],
    ],
    [
      'in a callback',
      "const f = () => ['a', 'b'].map((t) => { send(`delete from ${t}`); });",
      ['delete from a', 'delete from b'],
    ],
  ])('%s', (_what, source, texts) => {
    expect(textsIn(source).own()).toEqual(texts);
  });

  test('of an argument is the text that each call of its function hands in', () => {
    const source = `const end = (where: string, at: Date) => { send(\`update where \${where}\`); };
      const one = () => { end('id = $1', new Date()); };
      const all = (kind: 'a' | 'b') => { end(\`kind = '\${kind}'\`, new Date()); };`;
    const { own, byCalls } = textsIn(source);
    expect(own()).toEqual([`update where ${unknownText}`]);
    expect(byCalls()).toEqual(['update where id = $1', "update where kind = 'a'", "update where kind = 'b'"]);
  });
});

test('a sample with which the code fails is reported, and the others make texts', () => {
  const failures: string[] = [];
  const source = `const order = (by: string) => { if (by === 'age') throw new Error('no ages'); return by; };
    const f = (by: 'name' | 'age') => { send('order by ' + order(by)); };`;
  const { own } = textsIn(source, (error) => failures.push((error as Error).message));
  expect(own()).toEqual(['order by name']);
  expect(failures).toEqual(['no ages']);
});

test.each([
  ['an object', 'class A { sql = 1; f() { send(this.sql); } }'],
  ['a function that is handed in', 'const f = (sqlOf: () => string) => { send(sqlOf()); };'],
])('the text of a statement is not known when it depends on %s', (_what, source) => {
  expect(textsIn(source).own).toThrow(Unreadable);
});
