import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { serviceNames } from '@caravan/contracts/events/topics';
import { runAttached } from '../../process/programs.ts';
import { buildProduct, generateSources } from '../../build/build.ts';
import { inForeground } from '../../process/foreground.ts';
import { beginStress } from './stress.ts';
import {
  allSpecs,
  fileTimes,
  journeys,
  runVitest,
  select,
  type Selection,
  type Stage,
  stageOf,
  stages,
} from './test-stages.ts';
import { type InstanceDir, instanceDirAt, instanceDirs, npmProgram, root } from '../../process/paths.ts';
import type { Supervisor } from '../../process/supervisor.ts';
import { failureText, failure, lastLine, sum, type Tally, withExitCode } from './tally.ts';
import { StageClock, type StageTime, timesTable } from './timings.ts';
import { startTestServers, startWantedServers } from './test-servers.ts';
import { print, UserError } from '../../process/terminal.ts';
import { downloadJars, installOptional, requireTools, tools, toolsToRun } from '../../build/toolchain.ts';

type TestOptions = {
  isFast: boolean;
  only: string | undefined;
  isDurable: boolean;
  /** The service whose facts come late; the integration suites alone run then. */
  late: string | undefined;
  /** Instead of everything else: the images. */
  inContainers: boolean;
  /** With every case of the matrices, of which other runs try a core. */
  isFull: boolean;
  /** Only specs that the change since a commit can affect; without journeys. */
  isAffected: boolean;
  since: string | undefined;
  /** Seed of the random values and of the order of files. */
  seed: number | undefined;
  /** How often everything runs, each time with another seed. */
  times: number;
  /** Beside programs that keep the cores and the disk busy. */
  isStressed: boolean;
};

type Plan = Map<Stage | 'chaos', Selection | 'all'>;

function stagesOf({ isFast, late }: TestOptions): readonly Stage[] {
  if (late !== undefined) return ['integration'];
  return isFast ? ['pure'] : stages;
}

async function affectedPlan(since: string | undefined, signal: AbortSignal): Promise<Plan> {
  const { affectedSpecs, changedFiles, importsOf, repositoryFiles } = await import('./affected.ts');
  const files = await repositoryFiles(signal);
  const changed = await changedFiles(since, signal);
  const specs = allSpecs().map(({ file }) => file);
  const affected = affectedSpecs({ files, importsOf }, specs, changed);
  print(`${changed.length} files changed, ${affected.length} of ${specs.length} files of tests can be affected`);
  const plan: Plan = new Map();
  for (const stage of ['pure', 'web', 'integration'] as const) {
    const chosen = affected.filter((file) => stageOf(file) === stage);
    if (chosen.length > 0) plan.set(stage, { files: chosen, filesByTitle: [] });
  }
  return plan;
}

function planOf(options: TestOptions): Plan {
  const { only } = options;
  const wanted = stagesOf(options);
  const isPart = wanted !== stages;
  if (only === undefined)
    return new Map((isPart ? wanted : [...wanted, 'chaos' as const]).map((stage) => [stage, 'all']));
  const specs = allSpecs();
  const plan: Plan = new Map(wanted.map((stage) => [stage, select(specs, stage, only)]));
  for (const [stage, selection] of plan) if (isNothing(selection)) plan.delete(stage);
  return 'chaos'.includes(only.toLowerCase()) && !isPart ? plan.set('chaos', 'all') : plan;
}

const isNothing = (selection: Selection | 'all'): boolean =>
  selection !== 'all' && selection.files.length + selection.filesByTitle.length === 0;

/** Kills every program of a product amid work; one test: whether every invariant held. */
async function chaos(signal: AbortSignal, isFull: boolean): Promise<Tally> {
  const extent = isFull ? [] : ['1500', 'core'];
  const exitCode = await runAttached(npmProgram('tsx'), [join(root, 'tools/chaos/main.ts'), ...extent], {
    cwd: root,
    signal,
  });
  return exitCode === 0 ? { passed: 1, failures: [] } : failure('chaos', 'What broke stands above.');
}

/** These run where they can be installed: the core journey in two more engines, and all others in less time. */
const otherBrowsers =
  process.platform === 'linux' ? [tools.firefox, tools.webkit, tools.headlessShell] : [tools.firefox];

async function prepare(plan: Plan, signal: AbortSignal): Promise<void> {
  const needsServers = ['integration', 'journeys', 'chaos'] as const;
  if (needsServers.some((stage) => plan.has(stage))) {
    await requireTools([...toolsToRun(), ...(plan.has('journeys') ? [tools.chromium] : [])], signal);
    await downloadJars(signal);
  }
  if (plan.has('journeys')) await installOptional(otherBrowsers, signal);
  await generateSources(signal);
}

/** By this word `--containers` takes every integration suite and no image. */
const allSuites = 'suites';

/** The images, or of `only` a part of their tests or suites on servers in containers; without it, both. */
async function containers(supervisor: Supervisor, instanceDir: InstanceDir, options: TestOptions): Promise<Tally> {
  const { only, isDurable } = options;
  const { signal } = supervisor;
  const parts = (['figures', 'cluster', 'control-plane', 'product'] as const).filter(
    (name) => only === undefined || name.includes(only.toLowerCase()),
  );
  const [{ findCompose }, { requireParts }] = await Promise.all([
    import('../../containers/compose.ts'),
    import('../../containers/requirements.ts'),
  ]);
  // Everything that is missing is named before the first part runs.
  const runsSuites = only === undefined || parts.length === 0;
  await requireParts(runsSuites ? [...parts, 'suites'] : parts, findCompose);
  const tallies = parts.length > 0 ? [await partsInContainers(parts, signal)] : [];
  if (only !== undefined && parts.length > 0) return sum(tallies);
  await generateSources(signal);
  await downloadJars(signal);
  const servers = await startWantedServers(supervisor, instanceDir, { isDurable, inContainers: true });
  const variables = { CARAVAN_TEST_SERVERS: JSON.stringify(servers) };
  const word = only === allSuites ? undefined : only;
  const selection = word === undefined ? 'all' : select(allSpecs(), 'integration', word);
  return sum([...tallies, await runVitest({ stage: 'integration', selection, only: word, signal, variables })]);
}

/** Renders the manifests, builds every image and runs the Compose file's product of them. */
async function partsInContainers(files: readonly string[], signal: AbortSignal): Promise<Tally> {
  if (files.includes('product')) {
    const { makeImages } = await import('../../containers/images.ts');
    await requireTools(toolsToRun(), signal);
    await downloadJars(signal);
    await makeImages(signal);
  }
  const selection = {
    files: files.map((name) => `tools/caravan/containers/${name}.containers.spec.ts`),
    filesByTitle: [],
  };
  return runVitest({ stage: 'containers', selection, only: undefined, signal });
}

async function runPlan(
  supervisor: Supervisor,
  instanceDir: InstanceDir,
  { seed, ...options }: TestOptions & { seed: number },
): Promise<Tally> {
  const { only, isDurable, late } = options;
  const { signal } = supervisor;
  const isShuffled = options.times > 1 || options.isStressed;
  const shared = { only, signal, seed, isShuffled, isFull: options.isFull };
  if (late !== undefined && !serviceNames.some((name) => name === late))
    throw new UserError(`There is no service ${late}.`, `Services: ${serviceNames.join(', ')}`);
  const plan = options.isAffected ? await affectedPlan(options.since, signal) : planOf({ ...options, seed });
  await prepare(plan, signal);
  const tallies: Tally[] = [];
  const times: StageTime[] = [];
  const runTimed = async (stage: Stage | 'chaos', work: () => Promise<Tally>): Promise<void> => {
    const clock = new StageClock();
    tallies.push(await work());
    times.push(clock.end(stage, stage === 'chaos' ? [] : fileTimes(stage)));
  };
  const servers = plan.has('integration') ? startTestServers(supervisor, instanceDir, isDurable) : undefined;
  servers?.catch(() => undefined);
  for (const stage of ['pure', 'web'] as const) {
    const selection = plan.get(stage);
    if (selection !== undefined) await runTimed(stage, () => runVitest({ ...shared, stage, selection }));
  }
  const integration = plan.get('integration');
  if (integration !== undefined) {
    const variables = { CARAVAN_TEST_SERVERS: JSON.stringify(await servers), ...(late && { CARAVAN_TEST_LATE: late }) };
    await runTimed('integration', () =>
      runVitest({ ...shared, stage: 'integration', selection: integration, variables }),
    );
    await supervisor.stopAll();
  }
  const journey = plan.get('journeys');
  if (journey !== undefined) {
    await runTimed('journeys', async () => {
      await buildProduct(signal);
      return journeys(supervisor, instanceDir, journey, options);
    });
    await supervisor.stopAll();
  }
  if (plan.has('chaos')) await runTimed('chaos', () => chaos(signal, options.isFull));
  keepTimes(instanceDir, times);
  return sum(tallies);
}

/** Prints where the time went, and stores it as JSON for comparison with other runs. */
function keepTimes({ folder }: InstanceDir, times: readonly StageTime[]): void {
  process.stdout.write(`\n${timesTable(times)}\n`);
  writeFileSync(join(folder, 'times.json'), `${JSON.stringify({ at: new Date(), stages: times }, null, 2)}\n`);
}

const largestSeed = 10 ** 9;

/** Runs everything as often as wanted, each time with the next seed, until a run has a failure. */
async function runPlans(supervisor: Supervisor, instanceDir: InstanceDir, options: TestOptions): Promise<Tally> {
  const first = options.seed ?? Date.now() % largestSeed;
  const endStress = options.isStressed ? beginStress(instanceDir.folder) : undefined;
  const tallies: Tally[] = [];
  try {
    for (let nth = 0; nth < options.times; nth += 1) {
      const seed = first + nth;
      print(`Seed ${seed}${options.times > 1 ? `, run ${nth + 1} of ${options.times}` : ''}`);
      const tally = await runPlan(supervisor, instanceDir, { ...options, seed });
      tallies.push(tally);
      if (tally.failures.length > 0) break;
    }
  } finally {
    endStress?.();
  }
  return sum(tallies);
}

/** Runs the tests, each kind with what it needs; the last line says how many passed and failed. */
export async function test(options: TestOptions): Promise<number> {
  let result = sum([]);
  const instanceDir = instanceDirAt(instanceDirs.test);
  const exitCode = await inForeground(instanceDir, async (supervisor) => {
    result = options.inContainers
      ? await containers(supervisor, instanceDir, options)
      : await runPlans(supervisor, instanceDir, options);
    if (options.only !== undefined && result.passed + result.failures.length === 0)
      throw new UserError(`No test has ${options.only} in its title or its file's name.`, 'Try another word.');
    return { exitCode: result.failures.length === 0 ? 0 : 1 };
  });
  // A run that broke off proves nothing, so it must not end with '0 failed'.
  result = withExitCode(result, exitCode);
  process.stdout.write(`${failureText(result)}\n${lastLine(result)}\n`);
  return exitCode;
}
