import { spawn } from 'node:child_process';

/** Gives the terminal to another program and returns its exit code; Ctrl-C is that program's business. */
export function handOver(command: string, args: string[], variables: NodeJS.ProcessEnv = {}): Promise<number> {
  const ignore = (): void => undefined;
  process.on('SIGINT', ignore);
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: 'inherit', env: { ...process.env, ...variables } });
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve(signal === 'SIGINT' ? 0 : (code ?? 1)));
  });
}

/** Splits what follows a command into the name of a part and what is meant for another program, which may stand alone. */
export function nameAndRest(words: readonly string[]): { name: string | undefined; rest: string[] } {
  const [first] = words;
  const isName = first !== undefined && !first.startsWith('-');
  return { name: isName ? first : undefined, rest: words.slice(isName ? 1 : 0) };
}
