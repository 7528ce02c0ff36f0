import { chaosAt } from './run.ts';

// tsx tools/chaos/main.ts [logs]
process.exitCode = await chaosAt(Number(process.argv[2] ?? 1500));
