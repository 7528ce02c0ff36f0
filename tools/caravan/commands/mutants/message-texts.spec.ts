import { createRequire } from 'node:module';
import { expect, test } from 'vitest';
import { isMessageText, type SyntaxPath } from './message-texts.ts';

type Literal = SyntaxPath & { node: { value: string; quasis: readonly { value: { raw: string } }[] } };
type Babel = {
  parseSync(code: string, options: object): unknown;
  traverse(tree: unknown, visitors: Record<string, (path: Literal) => void>): void;
};

// It comes without types.
const { parseSync, traverse }: Babel = createRequire(import.meta.url)('@babel/core');

const source = `
  function refusal(path: string, message: string) { return new Invalid([{ path, message }], 'code of a refusal'); }
  function tooOld(words: string) { return new Rejected('code', 'kind', \`text \${words}\`); }
  refusal('path', 'text of an argument');
  tooOld('text of words');
  new Rejected('code', 'kind', isOne ? 'text of one' : 'text of many');
  const message = 'text of a variable';
  new Invalid([{ path: 'path of a property', message: 'text of a property' }], 'code of invalid');
  other('argument of a function from elsewhere', 'its second one');
  const key = 'value of another variable';
  if (kind === 'kind that is compared') throw new Error('error of a programmer');
`;

test('mutants of message texts are left out, and those of codes, kinds, paths and keys are not', () => {
  const texts: string[] = [];
  const others: string[] = [];
  const sort = (path: Literal, text = '') => void (isMessageText(path) ? texts : others).push(text);
  traverse(parseSync(source, { configFile: false, parserOpts: { plugins: ['typescript'] } }), {
    StringLiteral: (path) => sort(path, path.node.value),
    TemplateLiteral: (path) => sort(path, path.node.quasis[0]?.value.raw),
  });
  expect(texts).toHaveLength(7);
  expect(texts.filter((text) => !text.startsWith('text '))).toEqual([]);
  expect(others.filter((text) => text.startsWith('text '))).toEqual([]);
});
