import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ownFolder } from './own-folder.ts';

const run = promisify(execFile);

export type Load = {
  readonly url: string;
  readonly connections: number;
  readonly seconds: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Lua; without one every request is the same GET. */
  readonly script?: string;
};

export type LoadResult = {
  readonly requests: number;
  readonly requestsPerSecond: number;
  readonly p50Milliseconds: number;
  readonly p99Milliseconds: number;
  readonly failed: number;
};

/** Closed loop, one thread. */
export async function wrk({ url, connections, seconds, headers = {}, script }: Load): Promise<LoadResult> {
  const args = ['-t1', `-c${connections}`, `-d${seconds}s`, '--latency', '--timeout', '10s'];
  for (const [name, value] of Object.entries(headers)) args.push('-H', `${name}: ${value}`);
  if (script !== undefined) {
    const file = join(ownFolder('wrk'), 'load.lua');
    writeFileSync(file, script);
    args.push('-s', file);
  }
  const { stdout } = await run('wrk', [...args, url], { maxBuffer: 1 << 22 });
  return parse(stdout);
}

export type Requests = {
  /** Of one person after the other. */
  readonly headers: readonly Readonly<Record<string, string>>[];
  /** Sent with POST; without one it is a GET. */
  readonly body?: object;
};

export function requestScript({ headers, body }: Requests): string {
  const tables = headers.map(
    (each) =>
      `{${Object.entries(each)
        .map(([name, value]) => `["${name}"]="${value}"`)
        .join(',')}}`,
  );
  const sent = body === undefined ? 'nil' : `[==[${JSON.stringify(body)}]==]`;
  return `
local headers = {${tables.join(',')}}
local turn = 0
request = function()
  turn = turn % #headers + 1
  return wrk.format("${body === undefined ? 'GET' : 'POST'}", nil, headers[turn], ${sent})
end`;
}

/** Half an hour each, one person after the other. */
export const logScript = (tokens: readonly string[]): string =>
  requestScript({
    headers: tokens.map((token) => ({ 'content-type': 'application/json', authorization: `Bearer ${token}` })),
    body: { activityType: 'Walking', durationMinutes: 30, source: 'timer', photoPrompt: 'Along the canal' },
  });

function parse(output: string): LoadResult {
  const number = (pattern: RegExp) => Number(pattern.exec(output)?.[1] ?? 0);
  const sockets =
    /Socket errors: connect (\d+), read (\d+), write (\d+), timeout (\d+)/.exec(output)?.slice(1).map(Number) ?? [];
  return {
    requests: number(/(\d+) requests in/),
    requestsPerSecond: number(/Requests\/sec:\s+([\d.]+)/),
    p50Milliseconds: milliseconds(/50%\s+([\d.]+\w+)/.exec(output)?.[1]),
    p99Milliseconds: milliseconds(/99%\s+([\d.]+\w+)/.exec(output)?.[1]),
    failed: number(/Non-2xx or 3xx responses: (\d+)/) + sockets.reduce((sum, errors) => sum + errors, 0),
  };
}

function milliseconds(text = '0ms'): number {
  const value = Number.parseFloat(text);
  if (text.endsWith('us')) return value / 1000;
  return text.endsWith('ms') ? value : value * 1000;
}
