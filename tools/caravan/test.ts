import { buildProduct, generateSources } from './build.ts';
import { inForeground } from './foreground.ts';
import { journeys } from './journeys.ts';
import { homeAt, homes } from './paths.ts';
import type { Home } from './paths.ts';
import type { Family } from './processes.ts';
import { say } from './progress.ts';
import { allSpecs, select, stages } from './specs.ts';
import type { Selection, Stage } from './specs.ts';
import { lastLine, sum } from './tally.ts';
import type { Tally } from './tally.ts';
import { startTestServers } from './test-servers.ts';
import { bringJars, requireTools, tools, toolsToRun } from './toolchain.ts';
import { runVitest } from './vitest.ts';

/** What a test run is asked for. */
export type TestOptions = {
  /** The pure tests alone: nothing is started. */
  isFast: boolean;
  /** Only tests with this word in their file's name or title. */
  only: string | undefined;
  /** Whether the throw-away servers flush to disk as in production. */
  isDurable: boolean;
};

type Plan = Map<Stage, Selection | 'all'>;

function planOf({ isFast, only }: TestOptions): Plan {
  const wanted = isFast ? (['pure'] as const) : stages;
  if (only === undefined) return new Map(wanted.map((stage) => [stage, 'all']));
  const specs = allSpecs();
  const selected = wanted.map((stage) => [stage, select(specs, stage, only)] as const);
  return new Map(selected.filter(([, { files, filesByTitle }]) => files.length + filesByTitle.length > 0));
}

async function prepare(plan: Plan, signal: AbortSignal): Promise<void> {
  const needsServers = plan.has('integration') || plan.has('journeys');
  if (needsServers) {
    await requireTools([...toolsToRun(), ...(plan.has('journeys') ? [tools.chromium] : [])], signal);
    await bringJars(signal);
  }
  await generateSources(signal);
}

async function runPlan(family: Family, home: Home, options: TestOptions): Promise<Tally> {
  const { only, isDurable } = options;
  const { over } = family;
  const plan = planOf(options);
  await prepare(plan, over);
  const tallies: Tally[] = [];
  const servers = plan.has('integration') ? startTestServers(family, home, isDurable) : undefined;
  servers?.catch(() => undefined);
  for (const stage of ['pure', 'web'] as const) {
    const selection = plan.get(stage);
    if (selection !== undefined) tallies.push(await runVitest({ stage, selection, only, signal: over }));
  }
  const integration = plan.get('integration');
  if (integration !== undefined) {
    const variables = { CARAVAN_TEST_SERVERS: JSON.stringify(await servers) };
    tallies.push(await runVitest({ stage: 'integration', selection: integration, only, signal: over, variables }));
    await family.stopAll();
  }
  const journey = plan.get('journeys');
  if (journey !== undefined) {
    await buildProduct(over);
    tallies.push(await journeys(family, home, journey, only));
  }
  return sum(tallies);
}

/** Runs the tests, each kind with what it needs. Returns the exit code; the last line says how many passed and failed. */
export async function test(options: TestOptions): Promise<number> {
  let result: Tally = { passed: 0, failed: 0 };
  const home = homeAt(homes.test);
  const exitCode = await inForeground(home, async (family) => {
    result = await runPlan(family, home, options);
    return { exitCode: result.failed === 0 ? 0 : 1 };
  });
  // A run that broke off proves nothing, so it must not end with '0 failed'.
  if (exitCode !== 0 && result.failed === 0) result = { ...result, failed: 1 };
  say('');
  process.stdout.write(`${lastLine(result)}\n`);
  return exitCode;
}
