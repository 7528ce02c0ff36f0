import { memberships, teams } from './membership/belonging.query.ts';
import { organisations } from './organisations/founding.query.ts';

/** Everything that this service records: what a rebuild reads. */
export const streamKinds = [organisations, teams, memberships];
