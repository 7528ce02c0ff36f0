import { serviceNames } from '@caravan/contracts/topics';
import type { ServiceName } from '@caravan/contracts/topics';
import { Trouble } from './trouble.ts';

/** The service that somebody named on the command line. */
export function serviceNamed(name: string | undefined): ServiceName {
  const service = serviceNames.find((each) => each === name);
  if (service !== undefined) return service;
  throw new Trouble(`There is no service ${name ?? '(none named)'}.`, `There are: ${serviceNames.join(', ')}`);
}
