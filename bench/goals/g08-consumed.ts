import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { judge, type Finding } from '../harness.ts';
import { root, runningProduct, signUpPeople } from '../product.ts';
import { logScript, wrk } from '../wrk.ts';

const people = 40;
const seconds = 20;

/** G8: what consumers write is made again faster than it comes, or a rebuild beside a busy service would never end. */
export async function rebuildingConsumed(): Promise<Finding[]> {
  const product = runningProduct();
  const tokens = await signUpPeople(product, people);
  const logged = await wrk({ url: `${product.url}/api/log`, connections: 16, seconds, script: logScript(tokens) });
  const startedAt = performance.now();
  const { stdout } = await promisify(execFile)(join(root, 'caravan'), ['rebuild', 'social', 'feed'], {
    env: { ...process.env, CARAVAN_HOME: join(root, '.caravan/bench') },
  });
  const tookSeconds = (performance.now() - startedAt) / 1000;
  const facts = Number(/Rebuilt feed: (\d+) facts replayed/.exec(stdout)?.[1]);
  if (!(facts >= logged.requests - logged.failed))
    throw new Error(`The feed was not rebuilt from its logs:\n${stdout}`);
  const perSecond = facts / tookSeconds;
  return [
    judge({
      goal: 'G8',
      what: `facts a second of a rebuild of social's feed, its start included (${facts} in ${Math.round(tookSeconds)} s: ${Math.round(perSecond)}), against the most logs a second that were taken in (${Math.round(logged.requestsPerSecond)})`,
      value: perSecond / logged.requestsPerSecond,
      wanted: { atLeast: 1 },
      unit: '×',
    }),
  ];
}
