import type { Operation } from '@caravan/contracts/http/operations/operation';
import { target } from '../env.ts';

export type Call = {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: Readonly<Record<string, unknown>> | readonly Readonly<Record<string, unknown>>[];
};
export type Sender = {
  readonly token?: string;
  readonly cookie?: string;
  readonly at?: string;
  /** An Idempotency-Key. */
  readonly key?: string;
};

export type Heard = {
  readonly status: number;
  readonly headers: Headers;
  readonly told: string;
  readonly json: unknown;
};

export async function send(operation: Operation, call: Call = {}, sender: Sender = {}): Promise<Heard> {
  const { token, cookie, key, at = target().url } = sender;
  const answer = await fetch(`${at}${pathOf(operation, call)}`, {
    method: operation.method.toUpperCase(),
    redirect: 'manual',
    headers: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(cookie !== undefined && { cookie }),
      ...(key !== undefined && { 'idempotency-key': key }),
      ...(operation.body && { 'content-type': 'application/json' }),
    },
    ...(operation.body && { body: JSON.stringify(call.body ?? {}) }),
  });
  const text = await textOf(answer);
  return {
    status: answer.status,
    headers: answer.headers,
    told: `${text}\n${[...answer.headers].map(([name, value]) => `${name}: ${value}`).join('\n')}`,
    json: parseJson(text),
  };
}

export function pathOf(operation: Operation, call: Call): string {
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(call.path?.[name] ?? name),
  );
  const query = new URLSearchParams(call.query).toString();
  return `${path}${query && `?${query}`}`;
}

async function textOf(answer: Response): Promise<string> {
  if (!answer.headers.get('content-type')?.startsWith('text/event-stream')) return answer.text();
  await answer.body?.cancel();
  return '';
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
