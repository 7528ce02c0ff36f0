import { defineConfig, globalIgnores } from 'eslint/config';
import compat from 'eslint-plugin-compat';
import jsxA11y from 'eslint-plugin-jsx-a11y';
import reactHooks from 'eslint-plugin-react-hooks';
import globals from 'globals';
import tseslint from 'typescript-eslint';
import { house } from './tools/house/lint-rules.mjs';

const scripts = ['**/*.{mjs,cjs,js}'];
const typescript = ['**/*.{ts,tsx,mts}'];
const specs = ['**/*.spec.{ts,tsx}', '**/testing/**', '**/*.contract.ts'];
const settings = ['*.{mjs,cjs}', '**/*.config.{ts,mts,mjs}', 'docs/.vitepress/config.ts'];
const productSources = ['libs/**/*.{ts,tsx}', 'services/**/*.ts', 'gateway/**/*.ts', 'web/**/*.{ts,tsx}'];

// A file of a feature with no suffix is pure. `.tsx` draws, and in the web app `api.ts` and `use-….ts` reach outside.
const features = ['services/*/src/**/*.ts', 'web/src/features/**/*.ts'];
const mayTouchTheWorld = ['**/*.*.ts', '**/main.ts', '**/env.ts', 'web/**/api.ts', 'web/**/use-*.ts', '**/testing/**'];

/** Programs too, whatever they are written in. */
const inScripts = [
  {
    selector:
      'SpreadElement > :matches(ObjectExpression, ArrayExpression, TSAsExpression[typeAnnotation.typeName.name="const"])',
    message: 'Write the properties or elements out, one a line: a spread of a literal only saves lines.',
  },
  {
    selector:
      ':matches(ConditionalExpression > .consequent, ConditionalExpression > .alternate)[type="ConditionalExpression"]',
    message: 'Return early or name the inner choice: a chain of ternaries is read twice.',
  },
  {
    selector:
      'VariableDeclarator[id.type="ArrayPattern"]:matches([init.type="ArrayExpression"][init.elements.length>0], [init.expression.type="ArrayExpression"])',
    message: 'Declare them one by one: an array that is taken apart at once only saves lines.',
  },
];

const everywhere = [
  ...inScripts,
  { selector: 'TSEnumDeclaration', message: 'Use a union of string literals: an enum is not erasable.' },
  { selector: 'ExportDefaultDeclaration', message: 'Export by name, so that one name travels unchanged.' },
  {
    selector:
      ':matches(ClassDeclaration, TSInterfaceDeclaration, TSTypeAliasDeclaration)[id.name=/(Dto|Impl|Manager|Helper)$/]',
    message: 'Name what it is: no …Dto, …Impl, …Manager or …Helper.',
  },
  { selector: 'TSInterfaceDeclaration[id.name=/^I[A-Z][a-z]/]', message: 'No I… interfaces.' },
  {
    selector:
      'ClassDeclaration[decorators.0.expression.callee.name=/^(Injectable|Controller|Module)$/] > ClassBody > MethodDefinition[kind="constructor"] > FunctionExpression > TSParameterProperty[decorators.length=0]',
    message: 'Inject by an explicit token: @Inject(Token).',
  },
  {
    selector: ':matches(Literal[value=/\\bas "[a-z]+[A-Z]/], TemplateElement[value.raw=/\\bas "[a-z]+[A-Z]/])',
    message: 'Name it with underscores: connections give rows the names that code uses.',
  },
];

const inTests = [
  {
    selector:
      'MemberExpression[object.name=/^(test|it|describe|suite)$/][property.name=/^(only|skip|todo|fails|skipIf|runIf)$/]',
    message: 'A test that does not run proves nothing.',
  },
  {
    selector: 'CallExpression[callee.object.name="vi"][callee.property.name="waitFor"][arguments.length<2]',
    message: 'This gives up after a second. Wait with `eventually`, expect.poll or waitFor of the testing library.',
  },
];

const seeded = 'Draw it from @caravan/contracts/testing/seeded, so that a failed run can be repeated with its seed.';
const drawsByChance = [
  { selector: 'MemberExpression[object.name="Math"][property.name="random"]', message: seeded },
  {
    selector: 'MemberExpression[object.name="crypto"][property.name=/^(randomUUID|getRandomValues)$/]',
    message: seeded,
  },
  {
    selector: 'ImportDeclaration[source.value="node:crypto"] > ImportSpecifier[imported.name=/^random/]',
    message: seeded,
  },
];

const readsTheEnvironment = [
  {
    selector: 'MemberExpression[object.name="process"][property.name="env"]',
    message:
      "Settings are read in env.ts only, so that a missing one stops the start and 'what does it need?' has one answer.",
  },
];

const touchesTheWorld = [
  { selector: ':function[async=true]', message: 'A file without a suffix is pure: no async.' },
  { selector: 'AwaitExpression', message: 'A file without a suffix is pure: no await.' },
  { selector: 'ImportExpression', message: 'A file without a suffix is pure: no dynamic import.' },
  { selector: 'NewExpression[callee.name="Date"][arguments.length=0]', message: 'Pure: take the time as an argument.' },
  { selector: 'CallExpression[callee.name="Date"]', message: 'Pure: take the time as an argument.' },
  {
    selector: 'MemberExpression[object.name="Date"][property.name="now"]',
    message: 'Pure: take the time as an argument.',
  },
  {
    selector: 'MemberExpression[object.name="Math"][property.name="random"]',
    message: 'Pure: take chance as an argument.',
  },
];

const worldGlobals = [
  'process',
  'fetch',
  'crypto',
  'performance',
  'console',
  'WebSocket',
  'EventSource',
  'XMLHttpRequest',
  'Temporal',
  'setTimeout',
  'setInterval',
  'setImmediate',
  'clearTimeout',
  'clearInterval',
  'clearImmediate',
  'queueMicrotask',
  'window',
  'document',
  'navigator',
  'location',
  'history',
  'localStorage',
  'sessionStorage',
  'requestAnimationFrame',
].map((name) => ({ name, message: 'A file without a suffix is pure: take it as an argument.' }));

const functionsUpTo = (max) => ({
  'max-lines-per-function': ['error', { max, skipBlankLines: true, skipComments: true }],
});
const restrict = (...lists) => ['error', ...lists.flat()];

export default defineConfig(
  globalIgnores([
    '**/node_modules/',
    '.caravan/',
    '.nx/',
    '**/dist/',
    '**/generated/',
    '**/coverage/',
    '**/*.gen.ts',
    'web/src/locales/',
    '**/test-results/',
    '**/playwright-report/',
  ]),
  { linterOptions: { reportUnusedDisableDirectives: 'error', reportUnusedInlineConfigs: 'error' } },

  {
    files: scripts,
    languageOptions: { globals: globals.node },
    plugins: { house },
    rules: {
      'no-undef': 'error',
      'no-unused-vars': 'error',
      'no-restricted-syntax': restrict(inScripts),
      'house/no-bare-participles': 'error',
    },
  },

  {
    files: typescript,
    // Rules that ask for types are oxlint's (.oxlintrc.json), which checks the types in the same pass.
    extends: [tseslint.configs.strict],
    languageOptions: { parser: tseslint.parser },
    rules: {
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'separate-type-imports' }],
      '@typescript-eslint/no-extraneous-class': ['error', { allowWithDecorator: true }],
      // `() => Promise<void> | void` is how a callback says that it may be awaited.
      '@typescript-eslint/no-invalid-void-type': 'off',
      '@typescript-eslint/no-unused-vars': ['error', { ignoreRestSiblings: true, argsIgnorePattern: '^_' }],

      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'no-warning-comments': ['error', { terms: ['todo', 'fixme', 'xxx'] }],
      'max-lines': ['error', { max: 300, skipBlankLines: true, skipComments: true }],
      ...functionsUpTo(50),
      'max-params': ['error', { max: 4 }],
      'no-restricted-syntax': restrict(everywhere),
    },
  },

  {
    files: productSources,
    ignores: ['**/env.ts', 'libs/simulators/main.ts', ...specs, ...settings],
    rules: { 'no-restricted-syntax': restrict(everywhere, readsTheEnvironment), 'no-console': 'error' },
  },

  {
    files: features,
    ignores: mayTouchTheWorld,
    rules: {
      'no-restricted-syntax': restrict(everywhere, readsTheEnvironment, touchesTheWorld),
      'no-restricted-globals': ['error', ...worldGlobals],
    },
  },

  {
    files: ['services/*/src/**/*.ts'],
    plugins: { house },
    rules: { 'house/in-rooms': 'error', 'house/suffix-tells-truth': 'error', 'house/public-events-apart': 'error' },
  },

  {
    files: ['web/src/**/*.{ts,tsx}'],
    ignores: [...specs, 'web/src/lib/keyed-requests.ts'],
    plugins: { house },
    rules: { 'house/keys-with-requests': 'error', 'house/dots-stick': 'error' },
  },
  {
    files: ['web/src/**/*.{ts,tsx}'],
    ignores: [...specs, 'web/src/ui/date-field.tsx'],
    plugins: { house },
    rules: { 'house/date-fields': 'error' },
  },
  {
    files: ['web/src/**/*.{ts,tsx}'],
    ignores: [...specs, 'web/src/lib/dates.ts'],
    plugins: { house },
    rules: { 'house/dates-by-the-helper': 'error' },
  },
  // Features that the browsers in package.json's list support.
  {
    files: ['web/src/**/*.{ts,tsx}'],
    ignores: specs,
    extends: [compat.configs['flat/recommended']],
    // Asked for before they are used.
    settings: { polyfills: ['navigator.wakeLock'] },
  },
  // The syntax of the oldest browsers.
  { files: ['web/src/old-browser.ts'], rules: { 'no-var': 'off' } },
  {
    files: typescript,
    plugins: { house },
    rules: { 'house/no-parsed-dates': 'error', 'house/no-bare-participles': 'error' },
  },
  {
    files: ['web/**/*.{ts,tsx}'],
    extends: [reactHooks.configs.flat.recommended, jsxA11y.flatConfigs.recommended],
    languageOptions: { globals: globals.browser },
    rules: {
      'react-hooks/exhaustive-deps': 'error',
      // These two only tell the React Compiler, which is not used here, what it would leave alone.
      'react-hooks/incompatible-library': 'off',
      'react-hooks/unsupported-syntax': 'off',
    },
  },
  {
    files: ['web/{src,build}/**/*.{ts,tsx}'],
    ignores: specs,
    rules: {
      '@typescript-eslint/no-restricted-imports': [
        'error',
        {
          paths: [
            {
              name: 'react',
              importNames: ['lazy'],
              message: 'Take `lazyPart`, which shows no error when a navigation aborts the load.',
              allowTypeImports: false,
            },
          ],
          patterns: [
            {
              group: ['zod', 'zod/*', '@caravan/contracts/http/*', '@caravan/contracts/events/*'],
              allowTypeImports: true,
              message:
                'A page carries no schemas: zod would come along, and the browser refuses the code that it makes. Import types; constants lie beside the schemas.',
            },
          ],
        },
      ],
    },
  },
  {
    files: ['e2e/journeys/**/*.ts'],
    rules: {
      '@typescript-eslint/no-restricted-imports': [
        'error',
        {
          paths: [
            {
              name: '@playwright/test',
              importNames: ['test'],
              message: "Take the journeys' own test: it fails on errors in the console.",
            },
          ],
        },
      ],
    },
  },
  // A component is mostly markup, a goal of the bench is told from start to end, a describe block holds whole tests.
  { files: ['**/*.tsx', 'bench/**/*.ts'], rules: functionsUpTo(100) },
  {
    files: specs,
    rules: { ...functionsUpTo(150), 'max-lines': ['error', { max: 320, skipBlankLines: true, skipComments: true }] },
  },
  {
    files: specs,
    rules: {
      'no-restricted-syntax': restrict(everywhere, inTests, drawsByChance),
    },
  },
  // Names of databases, topics and keys, which stay beside those of every other run.
  {
    files: [
      'libs/service-kit/testing/{database,service,fillable-redis}.ts',
      'libs/messaging/testing/{suite,peer-service}.ts',
      'libs/contracts/testing/seeded*.ts',
    ],
    rules: { 'no-restricted-syntax': restrict(everywhere, inTests) },
  },
  {
    files: settings,
    rules: { 'no-restricted-syntax': restrict(inScripts) },
  },
);
