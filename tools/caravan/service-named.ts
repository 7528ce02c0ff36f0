import { serviceNames } from '@caravan/contracts/topics';
import type { ServiceName } from '@caravan/contracts/topics';
import { UserError } from './user-error.ts';

/** The service that somebody named on the command line. */
export function serviceNamed(name: string | undefined): ServiceName {
  const service = serviceNames.find((each) => each === name);
  if (service !== undefined) return service;
  throw new UserError(`There is no service ${name ?? '(none named)'}.`, `There are: ${serviceNames.join(', ')}`);
}
