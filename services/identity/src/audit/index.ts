export { recordAct } from './audit.store.ts';
export { csvOf } from './csv.ts';
