import { setTimeout as pause } from 'node:timers/promises';
import { seconds } from './chaos.ts';
import { foundOrganisation } from './load.ts';
import { Crowd } from './upgrade-load.ts';

type Trouble = {
  readonly what: string;
  /** Those that are meant for it. */
  readonly expected: readonly string[];
  /** What looks back over a while calls on for that while. */
  readonly looksBack?: boolean;
  /** Answers what ends it. */
  readonly begin: () => Promise<() => void>;
};

export type Watched = {
  readonly url: string;
  /** Alerts that call somebody, now. */
  readonly firing: () => Promise<readonly string[]>;
  readonly troubles: readonly Trouble[];
};

const members = 20;
const pauseMilliseconds = 1_000;
const everyMilliseconds = 1_000;
const withinMilliseconds = 420_000;

/**
 * People at work for some minutes, in which no alert fires; then one trouble after the other, each of which fires what is
 * meant for it, and which is silent again when it is over.
 */
export async function alertsDrill(watched: Watched, minutes: number, print: (line: string) => void): Promise<void> {
  const [visitor, ...people] = await foundOrganisation(watched.url, members + 1);
  if (!visitor) throw new Error('nobody signs in');
  const crowd = new Crowd(watched.url, people, visitor, pauseMilliseconds);
  crowd.start();
  try {
    await staysSilent(watched, minutes * 60_000);
    print(`Silent for ${minutes} minutes amid ${crowd.asked.requests} requests`);
    for (const trouble of watched.troubles) await callsSomebody(watched, trouble, print);
  } finally {
    await crowd.stop();
  }
}

async function staysSilent({ firing }: Watched, milliseconds: number): Promise<void> {
  const until = performance.now() + milliseconds;
  while (performance.now() < until) {
    const fired = await firing();
    if (fired.length > 0) throw new Error(`nothing is wrong, and these fire: ${fired.join(', ')}`);
    await pause(everyMilliseconds);
  }
}

async function callsSomebody(
  { firing }: Watched,
  { what, expected, looksBack = false, begin }: Trouble,
  print: (line: string) => void,
): Promise<void> {
  const seen = new Map<string, number>();
  const startedAt = performance.now();
  const end = await begin();
  const waitFor = async (isThere: (fired: readonly string[]) => boolean, missing: () => string) => {
    const deadline = performance.now() + withinMilliseconds;
    for (;;) {
      const fired = await firing();
      for (const name of fired) if (!seen.has(name)) seen.set(name, performance.now() - startedAt);
      if (isThere(fired)) return;
      if (performance.now() > deadline)
        throw new Error(`${what}: ${missing()}; there fired ${[...seen.keys()].join(', ')}`);
      await pause(everyMilliseconds);
    }
  };
  try {
    await waitFor(
      () => expected.every((name) => seen.has(name)),
      () => `${expected.filter((name) => !seen.has(name)).join(', ')} do not fire`,
    );
  } finally {
    end();
  }
  const told = [...seen].map(([name, after]) => `${name} after ${seconds(after)}`).join(', ');
  if (looksBack) return print(`${what}: ${told}`);
  const endedAt = performance.now();
  await waitFor(
    (fired) => !fired.some((name) => expected.includes(name)),
    () => 'it is over, and they fire on',
  );
  print(`${what}: ${told}; silent ${seconds(performance.now() - endedAt)} after it was over`);
}
