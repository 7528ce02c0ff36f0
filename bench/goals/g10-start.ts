import { spawn, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { answering, startFloor } from '../child.ts';
import { interleave, judge, type Finding, type Sample } from '../harness.ts';
import { pidOf, runningProduct, signUpPeople } from '../product.ts';

const services = ['identity', 'activity', 'scoring', 'social', 'integrations'];
const bareProcesses = 10;

/** G10: from starting the processes (servers are up) to the first page and the first /api/me. */
export async function start(): Promise<Finding[]> {
  const product = runningProduct();
  const [token = ''] = await signUpPeople(product, 1);
  const { bare, ours } = await interleave({ bare: startBare, ours: () => startOurs(token) });
  const floor = bare.median('seconds');
  const value = ours.median('seconds');
  const what = `seconds from start to first page and /api/me (${value.toFixed(2)} s; ten bare Fastify ${floor.toFixed(2)} s)`;
  return [
    judge({ goal: 'G10', what, value, wanted: { atMost: 5 }, unit: ' s' }),
    judge({
      goal: 'G10',
      what,
      value: value / floor,
      wanted: { atMost: 3.5 },
      unit: '×',
      floorSpread: bare.spread('seconds'),
    }),
  ];
}

async function startBare(): Promise<Sample> {
  const startedAt = performance.now();
  const children = await Promise.all(Array.from({ length: bareProcesses }, () => startFloor('floors/hello.mjs')));
  const seconds = (performance.now() - startedAt) / 1000;
  for (const child of children) child.stop();
  return { seconds };
}

/** With the settings of the running ones but on ports of their own. */
async function startOurs(token: string): Promise<Sample> {
  const product = runningProduct();
  const ports = await Promise.all([...services, 'gateway'].map(freePort));
  const urls = Object.fromEntries(
    services.map((name, index) => [`${name.toUpperCase()}_URL`, `http://127.0.0.1:${ports[index]}`]),
  );
  const jwks = { JWKS_URL: `${urls['IDENTITY_URL']}/.well-known/jwks.json` };
  const startedAt = performance.now();
  const children = [...services, 'gateway'].map((name, index) =>
    again(pidOf(product, name), { ...urls, ...jwks, PORT: String(ports[index]) }),
  );
  try {
    const url = `http://127.0.0.1:${ports.at(-1)}`;
    await answering(`${url}/`);
    while ((await fetch(`${url}/api/me`, { headers: { authorization: `Bearer ${token}` } })).status !== 200)
      await new Promise((resolve) => setTimeout(resolve, 10));
    return { seconds: (performance.now() - startedAt) / 1000 };
  } finally {
    await Promise.all(children.map(exitOf));
  }
}

function again(pid: number, changes: Readonly<Record<string, string>>): ChildProcess {
  const parts = (file: string) => readFileSync(`/proc/${pid}/${file}`, 'utf8').split('\0').filter(Boolean);
  const [command = '', ...args] = parts('cmdline');
  const environment = Object.fromEntries(
    parts('environ').map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]),
  );
  return spawn(command, args, { stdio: 'ignore', env: { ...environment, ...changes } });
}

function exitOf(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.once('exit', () => resolve());
    child.kill('SIGTERM');
  });
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
