import { type ChildProcess, spawn, type StdioOptions } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';

type ProgramOptions = { readonly env?: Readonly<Record<string, string>>; readonly stdio?: StdioOptions };

/** Programs of one browser and the folder they write to; `end` stops and removes all of it. */
export class Programs {
  readonly home: string;
  private readonly children: ChildProcess[] = [];

  constructor(name: string) {
    this.home = mkdtempSync(join(tmpdir(), `caravan-${name}-`));
  }

  start(command: string, args: readonly string[], { env = {}, stdio }: ProgramOptions = {}): ChildProcess {
    // A process group of its own: what a driver has started ends with it.
    const child = spawn(command, args, {
      env: { ...process.env, ...env },
      stdio: stdio ?? ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    this.children.push(child);
    return child;
  }

  async end(): Promise<void> {
    await Promise.all(this.children.toReversed().map((child) => endGroup(child)));
    rmSync(this.home, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function endGroup(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  try {
    process.kill(-child.pid, 'SIGTERM');
    await Promise.race([ended, pause(3_000)]);
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // The group has ended by itself.
  }
}

/** Resolves with the first match in what a program writes; rejects with what it wrote instead. */
export function waitForOutput(
  stream: Readable | null | undefined,
  pattern: RegExp,
  milliseconds = 60_000,
): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    const timer = setTimeout(() => reject(new Error(`No ${String(pattern)} in: ${text.slice(-400)}`)), milliseconds);
    stream?.on('data', (part: Buffer) => {
      text += part.toString('utf8');
      const [, found] = pattern.exec(text) ?? [];
      if (found === undefined) return;
      clearTimeout(timer);
      resolve(found);
    });
  });
}
