import { isDeepStrictEqual } from 'node:util';
import { operations } from '@caravan/contracts/http/operations';
import type { Operation } from '@caravan/contracts/http/operations/operation';
import { problemSchema } from '@caravan/contracts/http/problem';
import { z } from 'zod';
import type { OperationId } from './places.ts';

export type Answer = { readonly status: number; readonly mediaType: string; readonly body?: unknown };
type Content = Readonly<Record<string, object>>;
type Described = { readonly operationId: string; readonly responses: Readonly<Record<string, { content: Content }>> };
type Served = { readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>> };

export class Document {
  private readonly operations: ReadonlyMap<string, Described>;

  private constructor({ paths }: Served) {
    const all = Object.values(paths).flatMap((methods) => Object.values(methods));
    this.operations = new Map(all.map((operation) => [operation.operationId, operation]));
  }

  static async fetchDocument(url: string): Promise<Document> {
    return new Document((await (await fetch(`${url}/api/openapi.json`)).json()) as Served);
  }

  surprise(id: OperationId, { status, mediaType, body }: Answer): string | undefined {
    const described = this.operations.get(id)?.responses[status];
    if (!described) return `${status} is not documented: ${JSON.stringify(body)}`;
    if (!described.content[mediaType]) return `${status} with ${mediaType} is not documented`;
    if (body === undefined) return undefined;
    const { answers }: Operation = operations[id];
    const { data, error } = (status < 400 ? answers[status] : problemSchema)?.safeParse(body) ?? {};
    if (error) return z.prettifyError(error);
    // A schema drops what it does not know: what comes out unchanged held nothing else.
    return isDeepStrictEqual(data, body) ? undefined : `${status} holds more: ${JSON.stringify(body)}`;
  }
}
