export type { Counts } from './import.ts';
export { type Account, ImportsService } from './imports.service.ts';
export { clock, type Owner, importsMissingFrom as unlisted } from './imports.store.ts';
export type { Observation } from './workout.ts';
