import { declareValuePlugin, PluginKind } from '@stryker-mutator/api/plugin';

/** The part of Babel's `NodePath` that the plugin reads; Stryker passes it without a type. */
export type SyntaxPath = {
  readonly parentPath: SyntaxPath;
  readonly key: unknown;
  readonly listKey: unknown;
  readonly node: SyntaxNode;
  readonly scope: { getBinding(name: string | undefined): { readonly path: SyntaxPath } | undefined };
} & Record<`is${Kind}`, () => boolean>;

type SyntaxNode = {
  readonly id?: Named;
  readonly key?: Named;
  readonly callee?: Named;
  readonly params?: readonly (Named | undefined)[];
};
type Named = { readonly name?: string };
type Kind =
  | 'CallExpression'
  | 'ConditionalExpression'
  | 'NewExpression'
  | 'ObjectProperty'
  | 'StringLiteral'
  | 'TemplateLiteral'
  | 'VariableDeclarator';

// Words for people, whose wording no spec asserts. Codes, kinds and paths are mutated: they are public and stable.
const namesOfTexts = ['message', 'words'];
const isNameOfText = ({ name = '' }: Named = {}): boolean => namesOfTexts.includes(name);

/**
 * Whether it is a literal that the code itself calls a `message` (or `words`, of which one is made): the third argument
 * of `new Rejected`, a property, a variable, or an argument whose parameter is called so by a function declaration of the
 * same file. An arrow function does not say so any more by then: Stryker has put its mutants into it.
 */
export function isMessageText(path: SyntaxPath): boolean {
  return (path.isStringLiteral() || path.isTemplateLiteral()) && standsForMessage(path);
}

function standsForMessage({ parentPath: parent, key, listKey }: SyntaxPath): boolean {
  if (parent.isConditionalExpression()) return key !== 'test' && standsForMessage(parent);
  if (parent.isObjectProperty()) return key === 'value' && isNameOfText(parent.node.key);
  if (parent.isVariableDeclarator()) return isNameOfText(parent.node.id);
  if (listKey !== 'arguments') return false;
  if (parent.isNewExpression()) return parent.node.callee?.name === 'Rejected' && key === 2;
  return parent.isCallExpression() && isNameOfText(parameterOf(parent, Number(key)));
}

const parameterOf = ({ scope, node }: SyntaxPath, index: number): Named | undefined =>
  scope.getBinding(node.callee?.name)?.path.node.params?.[index];

export const strykerPlugins = [
  declareValuePlugin(PluginKind.Ignore, 'message-texts', {
    shouldIgnore: (path) => (isMessageText(path as SyntaxPath) ? 'text of a message' : undefined),
  }),
];
