import { createProjectGraphAsync } from '@nx/devkit';
import nx from '@nx/eslint-plugin';
import { defineConfig, globalIgnores } from 'eslint/config';
import compat from 'eslint-plugin-compat';
import jsxA11y from 'eslint-plugin-jsx-a11y';
import reactHooks from 'eslint-plugin-react-hooks';
import globals from 'globals';
import tseslint from 'typescript-eslint';
import { house } from './tools/house/lint-rules.mjs';

// The rule on tags reads the graph that Nx keeps; in a fresh clone there is none yet, and the rule would pass in silence.
process.env.NX_DAEMON = 'false';
await createProjectGraphAsync();

const scripts = ['**/*.{mjs,cjs,js}'];
const typescript = ['**/*.{ts,tsx,mts}'];
const specs = ['**/*.spec.{ts,tsx}', '**/testing/**', '**/*.contract.ts'];
const settings = ['*.{mjs,cjs}', '**/*.config.{ts,mts,mjs}'];
const productSources = ['libs/**/*.{ts,tsx}', 'services/**/*.ts', 'gateway/**/*.ts', 'web/**/*.{ts,tsx}'];

// A file of a feature with no suffix is pure. `.tsx` draws, and in the web app `api.ts` and `use-….ts` reach outside.
const features = ['services/*/src/**/*.ts', 'web/src/features/**/*.ts'];
const mayTouchTheWorld = ['**/*.*.ts', '**/main.ts', '**/env.ts', 'web/**/api.ts', 'web/**/use-*.ts', '**/testing/**'];

const everywhere = [
  { selector: 'TSEnumDeclaration', message: 'Use a union of string literals: an enum is not erasable.' },
  { selector: 'ExportDefaultDeclaration', message: 'Export by name, so that one name travels unchanged.' },
  {
    selector:
      ':matches(ClassDeclaration, TSInterfaceDeclaration, TSTypeAliasDeclaration)[id.name=/(Dto|Impl|Manager|Helper)$/]',
    message: 'Name what it is: no …Dto, …Impl, …Manager or …Helper.',
  },
  { selector: 'TSInterfaceDeclaration[id.name=/^I[A-Z][a-z]/]', message: 'No I… interfaces.' },
  {
    selector: 'SpreadElement > :matches(ObjectExpression, ArrayExpression)',
    message: 'Write the properties or elements out, one a line: a spread of a literal only saves lines.',
  },
  {
    selector:
      'ClassDeclaration[decorators.0.expression.callee.name=/^(Injectable|Controller|Module)$/] > ClassBody > MethodDefinition[kind="constructor"] > FunctionExpression > TSParameterProperty[decorators.length=0]',
    message: 'Inject by an explicit token: @Inject(Token).',
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
const onlyFrom = (sourceTag, ...onlyDependOnLibsWithTags) => ({ sourceTag, onlyDependOnLibsWithTags });
const island = (name) => onlyFrom(`scope:${name}`, `scope:${name}`, 'scope:shared');

const byTags = {
  checkDynamicDependenciesExceptions: ['.*'],
  // The store's proofs get their database from the kit's testing/; files of the two never form a cycle (dependency-cruiser).
  ignoredCircularDependencies: [['event-store', 'service-kit']],
  depConstraints: [
    ...['identity', 'activity', 'scoring', 'social', 'integrations', 'gateway', 'web'].map(island),
    onlyFrom('scope:shared', 'scope:shared'),
    onlyFrom('type:contracts', 'type:contracts'),
    onlyFrom('type:lib', 'type:lib', 'type:contracts'),
    onlyFrom('type:service', 'type:lib', 'type:contracts'),
    onlyFrom('type:gateway', 'type:lib', 'type:contracts'),
    onlyFrom('type:web', 'type:contracts'),
    onlyFrom('type:tool', 'type:tool', 'type:lib', 'type:contracts'),
    onlyFrom('type:e2e', 'type:tool', 'type:lib', 'type:contracts'),
    onlyFrom('runtime:browser', 'runtime:browser', 'runtime:any'),
    onlyFrom('runtime:any', 'runtime:any'),
  ],
};

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
    rules: { 'no-undef': 'error', 'no-unused-vars': 'error' },
  },

  {
    files: typescript,
    // Rules that ask for types are oxlint's (.oxlintrc.json), which checks the types in the same pass.
    extends: [tseslint.configs.strict],
    plugins: { '@nx': nx },
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

      '@nx/enforce-module-boundaries': ['error', byTags],
    },
  },

  {
    files: productSources,
    ignores: ['**/env.ts', ...specs, ...settings],
    rules: { 'no-restricted-syntax': restrict(everywhere, readsTheEnvironment), 'no-console': 'error' },
  },

  {
    files: features,
    ignores: mayTouchTheWorld,
    rules: {
      'no-restricted-syntax': restrict(everywhere, readsTheEnvironment, touchesTheWorld),
      'no-restricted-globals': ['error', ...worldGlobals],
      'no-restricted-imports': [
        'error',
        { patterns: [{ group: ['node:*'], message: 'A file without a suffix is pure.' }] },
      ],
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
  { files: typescript, plugins: { house }, rules: { 'house/no-parsed-dates': 'error' } },
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
              group: [
                'zod',
                'zod/*',
                '@caravan/contracts/http/*',
                ...['fields', 'envelope', 'openapi', '*.events'].map((name) => `@caravan/contracts/${name}`),
              ],
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
  // The bench starts the product's own gateway before services of its choice, and rebuilds what services read; nobody
  // else imports an application.
  {
    files: ['bench/floors/*.ts'],
    rules: { '@nx/enforce-module-boundaries': ['error', { ...byTags, allow: ['@caravan/gateway/*'] }] },
  },
  // Pages of the herd do what the web app does.
  {
    files: ['bench/herd/*.ts'],
    rules: { '@nx/enforce-module-boundaries': ['error', { ...byTags, allow: ['@caravan/web/lib/*'] }] },
  },
  {
    files: ['bench/seeding/*.ts'],
    rules: {
      '@nx/enforce-module-boundaries': [
        'error',
        { ...byTags, allow: ['@caravan/activity/*', '@caravan/identity/*', '@caravan/scoring/*'] },
      ],
    },
  },
  // What a run here differs in from what an operator gets is compared with the schemas themselves.
  {
    files: ['tools/caravan/{configuration,variables.spec}.ts', 'tools/caravan/containers/{compose,kubernetes}.spec.ts'],
    rules: {
      '@nx/enforce-module-boundaries': [
        'error',
        { ...byTags, allow: ['gateway', 'identity', 'activity', 'integrations'].map((name) => `@caravan/${name}/env`) },
      ],
    },
  },
  // What services read is counted on the services themselves, beside an organisation that the bench grows.
  {
    files: ['bench/plans/*.ts'],
    rules: {
      '@nx/enforce-module-boundaries': [
        'error',
        { ...byTags, allow: ['activity', 'identity', 'scoring', 'social'].map((name) => `@caravan/${name}/**`) },
      ],
    },
  },
  // What one service publishes again is what rows of another are made of, and an act costs all of them: proven on all.
  {
    files: ['tools/check-invariants/{rebuilt-read-models.int.spec,services,all-services}.ts', 'bench/budgets/*.ts'],
    rules: {
      '@nx/enforce-module-boundaries': [
        'error',
        {
          ...byTags,
          allow: ['activity', 'identity', 'integrations', 'scoring', 'social'].map((name) => `@caravan/${name}/**`),
        },
      ],
    },
  },
  // What speaks to a company on the internet is proven on a simulator of it, which the launcher runs, too.
  {
    files: ['services/integrations/src/**/*.int.spec.ts', 'services/integrations/src/testing/*.ts'],
    rules: {
      '@nx/enforce-module-boundaries': ['error', { ...byTags, allow: ['@caravan/simulators/**'] }],
    },
  },
  {
    files: settings,
    rules: { 'no-restricted-syntax': 'off' },
  },
);
