/** The rules: what decides or reckons without a server. */
const rules = [
  'libs/auth/access.ts',
  'libs/contracts/domain/movement/{disclosure,distance,miles,same-workout,streak}.ts',
  'libs/contracts/domain/time/{local-days,time-zones}.ts',
  'services/activity/src/bonus-window/bonus.ts',
  'services/activity/src/logging/{counted,imported,movement}.ts',
  'services/identity/src/membership/{membership,team}.ts',
  'services/identity/src/organisations/organisation.ts',
  'services/integrations/src/importing/{counting,import,own-word,telling,workout}.ts',
  'services/scoring/src/analytics/{analytics,cohorts,teams}.ts',
  'services/scoring/src/badges/{badges,gallery,history}.ts',
  'services/scoring/src/bonus-challenges/bonus-challenge.ts',
  'services/scoring/src/journey/{journey,position}.ts',
  'services/scoring/src/leaderboards/{leaderboard,leaderboard-entry}.ts',
  'services/scoring/src/ledger/{ledger,streaks}.ts',
  'services/scoring/src/weekly-challenges/{claim,progress}.ts',
  'services/social/src/ballots/ballot.ts',
  'services/social/src/reactions/reaction.ts',
];

const folder = '.caravan/mutants';

/** @type {import('@stryker-mutator/api/core').PartialStrykerOptions} */
export default {
  mutate: rules,
  testRunner: 'vitest',
  vitest: { configFile: 'tools/caravan/commands/mutants/vitest.config.ts' },
  plugins: ['@stryker-mutator/vitest-runner', './tools/caravan/commands/mutants/message-texts.ts'],
  ignorers: ['message-texts'],
  coverageAnalysis: 'perTest',
  // Specs run as they are written; types are the compiler's business.
  disableTypeChecks: false,
  ignorePatterns: ['.caravan', 'dist', 'docs', 'e2e', 'bench', 'web', 'infra'],
  tempDirName: `${folder}/sandbox`,
  reporters: ['clear-text', 'json'],
  clearTextReporter: { allowColor: true, reportTests: false, logTests: false, reportScoreTable: false },
  jsonReporter: { fileName: `${folder}/report.json` },
  // Results of the last run are reused while neither a rule nor its specs changed.
  incremental: true,
  incrementalFile: `${folder}/incremental.json`,
  // A mutant that loops for ever is ended by its count of rounds; a busy machine is none.
  timeoutMS: 30_000,
};
