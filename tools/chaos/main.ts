import { chaosAt } from './run.ts';
import { upgradeFrom } from './upgrade-run.ts';

// tsx tools/chaos/main.ts [logs]
// tsx tools/chaos/main.ts upgrade [tag or commit of the release before]
const [what = '1500', ref] = process.argv.slice(2);
process.exitCode = await (what === 'upgrade' ? upgradeFrom(ref) : chaosAt(Number(what)));
