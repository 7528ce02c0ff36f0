import { join } from 'node:path';
import { serviceNames } from '@caravan/contracts/topics';
import { runAttached } from './programs.ts';
import { buildProduct, generateSources } from './build.ts';
import { inForeground } from './foreground.ts';
import { allSpecs, journeys, runVitest, select, type Selection, type Stage, stages } from './test-stages.ts';
import { type InstanceDir, instanceDirAt, instanceDirs, npmProgram, root } from './paths.ts';
import type { Supervisor } from './supervisor.ts';
import { failed, failure, lastLine, sum, type Tally, withExitCode } from './tally.ts';
import { startTestServers, startWantedServers } from './test-servers.ts';
import { UserError } from './terminal.ts';
import { downloadJars, requireTools, tools, toolsToRun } from './toolchain.ts';

type TestOptions = {
  isFast: boolean;
  only: string | undefined;
  isDurable: boolean;
  /** The service whose facts come late; the integration suites alone run then. */
  late: string | undefined;
  /** Instead of everything else: the images. */
  inContainers: boolean;
};

type Plan = Map<Stage | 'chaos', Selection | 'all'>;

function stagesOf({ isFast, late }: TestOptions): readonly Stage[] {
  if (late !== undefined) return ['integration'];
  return isFast ? ['pure'] : stages;
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
async function chaos(signal: AbortSignal): Promise<Tally> {
  const exitCode = await runAttached(npmProgram('tsx'), [join(root, 'tools/chaos/main.ts')], {
    cwd: root,
    signal,
  });
  return exitCode === 0 ? { passed: 1, failures: [] } : failure('chaos', 'What broke stands above.');
}

async function prepare(plan: Plan, signal: AbortSignal): Promise<void> {
  const needsServers = ['integration', 'journeys', 'chaos'] as const;
  if (needsServers.some((stage) => plan.has(stage))) {
    await requireTools([...toolsToRun(), ...(plan.has('journeys') ? [tools.chromium] : [])], signal);
    await downloadJars(signal);
  }
  await generateSources(signal);
}

/** By this word `--containers` takes every integration suite and no image. */
const allSuites = 'suites';

/** The images, or of `only` a part of their tests or suites on servers in containers; without it, both. */
async function containers(supervisor: Supervisor, instanceDir: InstanceDir, options: TestOptions): Promise<Tally> {
  const { only, isDurable } = options;
  const { signal } = supervisor;
  const parts = ['figures', 'cluster', 'control-plane', 'product'].filter(
    (name) => only === undefined || name.includes(only.toLowerCase()),
  );
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
  const [{ requireEngine, requireOwnTools }, { makeImages }] = await Promise.all([
    import('./containers/engine.ts'),
    import('./containers/images.ts'),
  ]);
  requireOwnTools(files);
  if (files.includes('product')) {
    requireEngine();
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

async function runPlan(supervisor: Supervisor, instanceDir: InstanceDir, options: TestOptions): Promise<Tally> {
  const { only, isDurable, late } = options;
  const { signal } = supervisor;
  if (late !== undefined && !serviceNames.some((name) => name === late))
    throw new UserError(`There is no service ${late}.`, `Services: ${serviceNames.join(', ')}`);
  const plan = planOf(options);
  await prepare(plan, signal);
  const tallies: Tally[] = [];
  const servers = plan.has('integration') ? startTestServers(supervisor, instanceDir, isDurable) : undefined;
  servers?.catch(() => undefined);
  for (const stage of ['pure', 'web'] as const) {
    const selection = plan.get(stage);
    if (selection !== undefined) tallies.push(await runVitest({ stage, selection, only, signal }));
  }
  const integration = plan.get('integration');
  if (integration !== undefined) {
    const variables = { CARAVAN_TEST_SERVERS: JSON.stringify(await servers), ...(late && { CARAVAN_TEST_LATE: late }) };
    tallies.push(await runVitest({ stage: 'integration', selection: integration, only, signal, variables }));
    await supervisor.stopAll();
  }
  const journey = plan.get('journeys');
  if (journey !== undefined) {
    await buildProduct(signal);
    tallies.push(await journeys(supervisor, instanceDir, journey, only));
    await supervisor.stopAll();
  }
  if (plan.has('chaos')) tallies.push(await chaos(signal));
  return sum(tallies);
}

/** Runs the tests, each kind with what it needs; the last line says how many passed and failed. */
export async function test(options: TestOptions): Promise<number> {
  let result = sum([]);
  const instanceDir = instanceDirAt(instanceDirs.test);
  const exitCode = await inForeground(instanceDir, async (supervisor) => {
    result = options.inContainers
      ? await containers(supervisor, instanceDir, options)
      : await runPlan(supervisor, instanceDir, options);
    if (options.only !== undefined && result.passed + result.failures.length === 0)
      throw new UserError(`No test has ${options.only} in its title or its file's name.`, 'Try another word.');
    return { exitCode: result.failures.length === 0 ? 0 : 1 };
  });
  // A run that broke off proves nothing, so it must not end with '0 failed'.
  result = withExitCode(result, exitCode);
  process.stdout.write(`${failed(result)}\n${lastLine(result)}\n`);
  return exitCode;
}
