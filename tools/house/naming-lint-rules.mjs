/** Past participles that do not end in -ed. */
const irregular = new Set(
  (
    'begun bound bought broken brought built caught chosen done drawn driven eaten fallen felt forgotten fought found ' +
    'given gone heard held hidden kept known left lent lost made meant met paid said seen sent shown sold sought ' +
    'spent split spoken stolen stood sworn taken taught thought thrown told unread won worn written'
  ).split(' '),
);
/** Verbs and nouns that look like one. */
const others = new Set([
  'embed',
  'exceed',
  'feed',
  'found',
  'left',
  'need',
  'proceed',
  'seed',
  'speed',
  'split',
  'succeed',
]);

const isBareParticiple = (name) =>
  !others.has(name) && (irregular.has(name) || /^[a-z]{2,}ed$/.test(name) || /^un[a-z]+ed$/.test(name));

const functions = new Set(['ArrowFunctionExpression', 'FunctionExpression']);

/** `logged` is neither what a function does nor what it returns: `createLog` and `loggedEvent` are. */
export const noBareParticiples = {
  meta: { type: 'problem', schema: [] },
  create(context) {
    const refuse = (node, id) => {
      const name = id?.type === 'PrivateIdentifier' || id?.type === 'Identifier' ? id.name : '';
      if (isBareParticiple(name))
        context.report({ node, message: `Name the function '${name}' by what it does or what it returns.` });
    };
    return {
      FunctionDeclaration: (node) => refuse(node, node.id),
      MethodDefinition: (node) => node.kind === 'method' && !node.computed && refuse(node, node.key),
      TSMethodSignature: (node) => !node.computed && refuse(node, node.key),
      VariableDeclarator: (node) => functions.has(node.init?.type) && refuse(node, node.id),
      PropertyDefinition: (node) => functions.has(node.value?.type) && refuse(node, node.key),
    };
  },
};
