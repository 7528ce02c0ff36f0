import { Pool } from 'undici';
import { judge, percentile, type Finding } from '../harness.ts';
import { openLoop } from '../open-loop.ts';
import { runningProduct, signUpAccounts } from '../product.ts';

const ratePerSecond = 50;
const seconds = 12;
const rounds = 3;

/** Hashing passwords of 50 sign-ins a second must not hold up the others. */
export async function readingDuringLogins(): Promise<Finding[]> {
  const product = runningProduct();
  // Two crowds: a person has ten sessions at most, so signing in often ends the one that reads.
  const readers = await signUpAccounts(product, 25);
  const comers = await signUpAccounts(product, 25);
  const connect = () => new Pool(product.url, { connections: 128 });
  // Two of them: who reads must not wait here for a connection behind those who sign in.
  const ofReaders = connect();
  const ofComers = connect();
  const call = async (pool: Pool, path: string, options: { token?: string | undefined; body?: object }) => {
    const { token, body } = options;
    const answer = await pool.request({
      method: body ? 'POST' : 'GET',
      path,
      headers: {
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    await answer.body.dump();
    if (answer.statusCode !== 200) throw new Error(`${path} answered ${answer.statusCode}`);
  };
  const reads = async (): Promise<number> => {
    const waited: number[] = [];
    const { failed } = await openLoop({
      ratePerSecond,
      seconds,
      work: async (index) => {
        const sentAt = performance.now();
        await call(ofReaders, '/api/me', { token: readers[index % readers.length]?.token });
        waited.push(performance.now() - sentAt);
      },
    });
    if (failed > 0) throw new Error(`${failed} reads of /api/me failed`);
    return percentile(waited, 0.99);
  };
  const logins = async (): Promise<number> => {
    const { failed } = await openLoop({
      ratePerSecond,
      seconds,
      work: (index) => {
        const { email, password } = comers[index % comers.length] ?? {};
        return call(ofComers, '/api/login', { body: { email, password } });
      },
    });
    return failed;
  };
  const alone: number[] = [];
  const during: number[] = [];
  let refused = 0;
  for (let round = 0; round < rounds; round += 1) {
    alone.push(await reads());
    const [p99, failed] = await Promise.all([reads(), logins()]);
    during.push(p99);
    refused += failed;
  }
  await Promise.all([ofReaders.close(), ofComers.close()]);
  const middle = (values: readonly number[]) => percentile(values, 0.5);
  const what = `p99 of GET /api/me during ${ratePerSecond} logins a second (${middle(during).toFixed(1)} ms; without them ${middle(alone).toFixed(1)} ms)`;
  return [
    judge({ goal: 'logins', what, value: middle(during), wanted: { atMost: 100 }, unit: ' ms' }),
    judge({ goal: 'logins', what: 'logins refused', value: refused, wanted: { atMost: 0 } }),
  ];
}
