import { randomBytes } from 'node:crypto';
import { closeRedis, createSubscriber } from '../storage/redis.ts';
import { ownBackground } from './background.ts';
import { testServers } from './servers.ts';

export type FillableRedis = {
  readonly url: string;
  /** From now on the server refuses what it refuses when its memory is full; everything else goes on. */
  readonly fill: () => Promise<void>;
  readonly drain: () => Promise<void>;
  readonly close: () => Promise<void>;
};

type Described = readonly [name: string, arity: number, flags: readonly string[], ...rest: unknown[]];

/** A user of its own at the server that other suites use too, so that one suite can find it full. */
export async function startFillableRedis(): Promise<FillableRedis> {
  const { redis } = testServers();
  const admin = createSubscriber({ url: redis, name: 'fillable', background: ownBackground() });
  const user = `fillable-${randomBytes(6).toString('hex')}`;
  const secret = randomBytes(16).toString('hex');
  await admin.call('ACL', 'SETUSER', user, 'on', `>${secret}`, '~*', '&*', '+@all');
  const described = (await admin.call('COMMAND')) as readonly Described[];
  // Exactly the commands that `maxmemory` with `noeviction` refuses; scripts are refused at their first such command.
  const growing = described.flatMap(([name, , flags]) => (flags.includes('denyoom') ? name : []));
  const allow = async (rules: readonly string[]) => {
    await admin.call('ACL', 'SETUSER', user, ...rules);
  };
  const url = new URL(redis);
  url.username = user;
  url.password = secret;
  return {
    url: url.href,
    fill: () => allow(growing.map((name) => `-${name}`)),
    drain: () => allow(['+@all']),
    close: async () => {
      await admin.call('ACL', 'DELUSER', user);
      await closeRedis(admin);
    },
  };
}
