import { alertsAfter } from './alerts-run.ts';
import { hangsAt } from './hangs-run.ts';
import { replicasAt } from './replicas-run.ts';
import { chaosAt } from './run.ts';
import { upgradeFrom } from './upgrade-run.ts';

// tsx tools/chaos/main.ts [logs] [core]
// tsx tools/chaos/main.ts upgrade [tag or commit of the release before]
// tsx tools/chaos/main.ts replicas [processes of each]
// tsx tools/chaos/main.ts alerts [minutes without trouble]
// tsx tools/chaos/main.ts hangs [times that Kafka hangs]
const [what = '1500', of] = process.argv.slice(2);
const drills: Readonly<Record<string, () => Promise<number>>> = {
  upgrade: () => upgradeFrom(of),
  replicas: () => replicasAt(Number(of ?? 3)),
  alerts: () => alertsAfter(Number(of ?? 10)),
  hangs: () => hangsAt(Number(of ?? 10)),
};
process.exitCode = await (drills[what] ?? (() => chaosAt(Number(what), of !== 'core')))();
