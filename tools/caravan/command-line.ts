import { serviceNames } from '@caravan/contracts/topics';
import type { ServiceName } from '@caravan/contracts/topics';
import { UserError } from './user-error.ts';

/** The service that somebody named on the command line. */
export function serviceNamed(name: string | undefined): ServiceName {
  const service = serviceNames.find((each) => each === name);
  if (service !== undefined) return service;
  throw new UserError(`There is no service ${name ?? '(none named)'}.`, `There are: ${serviceNames.join(', ')}`);
}

/** Splits what follows a command into the name of a part and what is meant for another program, which may stand alone. */
export function nameAndRest(words: readonly string[]): { name: string | undefined; rest: string[] } {
  const [first] = words;
  const isName = first !== undefined && !first.startsWith('-');
  return { name: isName ? first : undefined, rest: words.slice(isName ? 1 : 0) };
}
