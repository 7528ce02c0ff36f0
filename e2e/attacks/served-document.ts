import { operations } from '@caravan/contracts/http/operations';
import type { Operation } from '@caravan/contracts/http/operations/operation';
import { target } from '../env.ts';
import type { OperationId } from './places.ts';

type Described = {
  readonly operationId: OperationId;
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
};
type Served = { readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>> };

/** The operations of the served document that answer page by page. */
export async function pagedOperations(): Promise<OperationId[]> {
  const { paths } = (await (await fetch(`${target().url}/api/openapi.json`)).json()) as Served;
  const described = Object.values(paths).flatMap((methods) => Object.values(methods));
  const isPaged = ({ parameters = [] }: Described) => parameters.some(({ name }) => name === 'cursor');
  return described.filter(isPaged).map(({ operationId }) => operationId);
}

export const operationOf = (id: OperationId): Operation => operations[id];
