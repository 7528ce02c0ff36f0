import { chaosAt } from './run.ts';

// `tsx tools/chaos/main.ts [logs]` starts a product of its own, crashes its parts and says whether everything held.
process.exitCode = await chaosAt(Number(process.argv[2] ?? 1500));
