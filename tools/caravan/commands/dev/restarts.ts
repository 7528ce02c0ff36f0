import { relative } from 'node:path';
import { root } from '../../process/paths.ts';
import type { WatchedBundle } from '../../build/build.ts';

type Processes = {
  readonly isRunning: (name: string) => boolean;
  /** Rejects when the process is not ready in time. */
  readonly restart: (name: string) => Promise<void>;
  readonly print: (line: string) => void;
};

/** Editors write a file in several steps, and a formatter writes it once more. */
const settledMilliseconds = 40;

/** Builds what depends on changed sources again, and restarts its processes. Changes that come meanwhile wait. */
export class Restarts {
  private readonly files = new Set<string>();
  private timer: NodeJS.Timeout | undefined;
  private working = Promise.resolve();

  constructor(
    private readonly bundles: readonly Pick<WatchedBundle, 'name' | 'dependsOn' | 'rebuild'>[],
    private readonly processes: Processes,
  ) {}

  /** @param file absolute path */
  recordChange(file: string): void {
    this.files.add(file);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.working = this.working.then(() => this.work());
    }, settledMilliseconds);
  }

  private async work(): Promise<void> {
    const files = [...this.files];
    this.files.clear();
    const affected = this.bundles.filter(({ dependsOn }) => files.some(dependsOn));
    const why = files.map((file) => relative(root, file)).join(', ');
    await Promise.all(affected.map((bundle) => this.renew(bundle, why)));
  }

  private async renew({ name, rebuild }: Pick<WatchedBundle, 'name' | 'rebuild'>, why: string): Promise<void> {
    const from = performance.now();
    try {
      await rebuild();
    } catch (error) {
      this.processes.print(`${name} cannot be built, and runs on as it was:\n${messageOf(error)}`);
      return;
    }
    if (!this.processes.isRunning(name)) return;
    try {
      await this.processes.restart(name);
      const seconds = ((performance.now() - from) / 1000).toFixed(1);
      this.processes.print(`${name} is restarted after ${seconds} s: ${why} changed`);
    } catch (error) {
      this.processes.print(`${name} does not start: ${messageOf(error)}`);
    }
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
