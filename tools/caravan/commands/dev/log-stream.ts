import { closeSync, fstatSync, type FSWatcher, openSync, readdirSync, readSync, statSync, watch } from 'node:fs';
import { basename, join } from 'node:path';
import { StringDecoder } from 'node:string_decoder';
import { styleText } from 'node:util';
import { prettyFactory } from 'pino-pretty';

type Shown = {
  /** Names of processes, and words that a line has to contain; none: everything. */
  readonly words: readonly string[];
  readonly print: (line: string) => void;
};

const colours = ['cyan', 'magenta', 'yellow', 'green', 'blue', 'red'] as const;
/** Undefined while a log that became too long is put aside. */
function openIfThere(path: string): number | undefined {
  try {
    return openSync(path, 'r');
  } catch {
    return undefined;
  }
}

const widest = 'integrations'.length;

/** Reads the logs of an instance's processes as one stream, each line behind the name of its process. */
export class LogStream {
  private readonly positions = new Map<string, number>();
  private readonly rests = new Map<string, string>();
  private readonly decoders = new Map<string, StringDecoder>();
  private watcher: FSWatcher | undefined;
  private words: readonly string[];
  private readonly pretty = prettyFactory({
    colorize: process.stdout.isTTY,
    ignore: 'pid,hostname,service',
    translateTime: 'SYS:HH:MM:ss.l',
    singleLine: true,
  });

  constructor(
    private readonly folder: string,
    private readonly shown: Shown,
  ) {
    this.words = shown.words;
  }

  /** From now on; what stands in the files already is not shown. */
  start(): void {
    for (const file of this.files()) this.positions.set(file, statSync(join(this.folder, file)).size);
    this.watcher = watch(this.folder, (_event, file) => {
      if (file?.endsWith('.log') === true) this.read(file);
    }).on('error', (error) => this.shown.print(`The logs are no longer followed: ${error.message}`));
  }

  show(words: readonly string[]): void {
    this.words = words;
  }

  stop(): void {
    this.watcher?.close();
  }

  private files(): string[] {
    return readdirSync(this.folder).filter((file) => file.endsWith('.log'));
  }

  private read(file: string): void {
    const handle = openIfThere(join(this.folder, file));
    if (handle === undefined) return;
    try {
      const { size } = fstatSync(handle);
      const known = this.positions.get(file) ?? 0;
      // A file that became too long was put aside, and begins anew.
      const from = size < known ? 0 : known;
      const added = Buffer.alloc(size - from);
      readSync(handle, added, 0, added.length, from);
      this.positions.set(file, size);
      const lines = ((this.rests.get(file) ?? '') + this.decoderOf(file).write(added)).split('\n');
      this.rests.set(file, lines.pop() ?? '');
      for (const line of lines) this.printLine(basename(file, '.log'), line);
    } finally {
      closeSync(handle);
    }
  }

  /** A letter of several bytes may be written in two steps. */
  private decoderOf(file: string): StringDecoder {
    const decoder = this.decoders.get(file) ?? new StringDecoder('utf8');
    this.decoders.set(file, decoder);
    return decoder;
  }

  private printLine(name: string, line: string): void {
    // Servers write about themselves; they are shown to those who ask for them.
    const isOwn = line.startsWith('{');
    const isShown = this.words.length === 0 ? isOwn : this.words.some((word) => name === word || line.includes(word));
    if (!isShown || line.trim() === '') return;
    const text = isOwn ? this.pretty(line).trimEnd() : line;
    this.shown.print(`${this.label(name)} ${text}`);
  }

  private label(name: string): string {
    const letters = [...name].reduce((sum, letter) => sum + (letter.codePointAt(0) ?? 0), 0);
    const padded = name.padEnd(widest);
    return process.stdout.isTTY ? styleText(colours[letters % colours.length] ?? 'cyan', padded) : padded;
  }
}
