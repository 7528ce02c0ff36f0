import type { LiveAnnouncement, LiveKind } from '@caravan/contracts/http/live';
import { liveKinds } from '@caravan/contracts/http/live';
import { channelName, type Redis } from './redis.ts';

/** A page that takes longer from its first question to listening is rare. */
const keptMilliseconds = 30_000;
/** The clock of who told may differ by the way to Redis. */
const slackMilliseconds = 50;
const mostRead = 1_000;

const keyOf = (orgId: string) => `told:${orgId}`;

type Told = Pick<LiveAnnouncement, 'kinds' | 'teams' | 'persons'>;

/**
 * KEYS: what was told. ARGV: instant, oldest instant, milliseconds kept, channel, announcement, what it tells. Lua's stack
 * holds some thousands.
 */
const tellScript = `
for from = 6, #ARGV, 1000 do
  local noted = {}
  for i = from, math.min(from + 999, #ARGV) do
    noted[#noted + 1] = ARGV[1]
    noted[#noted + 1] = ARGV[i]
  end
  redis.call('ZADD', KEYS[1], unpack(noted))
end
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', ARGV[2])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
return redis.call('PUBLISH', ARGV[4], ARGV[5])`;

/** KEYS: who shows what. Answers Redis' clock and the notes of gateways, by turns name and note. */
const openScript = `return { redis.call('TIME'), redis.call('HGETALL', KEYS[1]) }`;

type Commands = {
  liveTell(...args: (string | number)[]): Promise<number>;
  liveOpen(key: string): Promise<[time: [string, string], notes: string[]]>;
};

/** What is told to open pages leaves in one step with the note of it, as does what they show. */
export class LiveTelling {
  private readonly redis: Redis;
  private readonly commands: Commands;

  constructor(redis: Redis) {
    this.redis = redis;
    redis.defineCommand('liveTell', { numberOfKeys: 1, lua: tellScript });
    redis.defineCommand('liveOpen', { numberOfKeys: 1, lua: openScript });
    this.commands = redis as unknown as Commands;
  }

  /** At that instant of Redis' clock. Pages that do not listen yet find it noted, unless it only shows something. */
  async tell(orgId: string, told: LiveAnnouncement, at: number): Promise<void> {
    const { kinds, teams = {}, persons = {} } = told;
    const members = [...kinds, ...membersOf('teams', teams), ...membersOf('persons', persons)];
    const [channel, text] = [channelName(this.redis, `live:${orgId}`), JSON.stringify(told)];
    if (members.length === 0) await this.redis.publish(channel, text);
    else
      await this.commands.liveTell(
        keyOf(orgId),
        at,
        at - keptMilliseconds,
        keptMilliseconds,
        channel,
        text,
        ...members,
      );
  }

  /** Microseconds of Redis' clock, and what gateways have noted of their pages by then. */
  async open(orgId: string): Promise<{ now: number; notes: Record<string, string> }> {
    const [[seconds, microseconds], flat] = await this.commands.liveOpen(`pages:${orgId}`);
    const notes: Record<string, string> = {};
    for (let at = 0; at + 1 < flat.length; at += 2) notes[flat[at] ?? ''] = flat[at + 1] ?? '';
    return { now: Number(seconds) * 1_000_000 + Number(microseconds), notes };
  }
}

const membersOf = (audience: 'teams' | 'persons', byName: Readonly<Record<string, readonly LiveKind[]>>) =>
  Object.entries(byName).flatMap(([name, kinds]) => kinds.map((kind) => `${kind} ${audience} ${name}`));

/** What was told lately, the newest first, and how many milliseconds ago. */
export async function toldLately(redis: Redis, orgId: string): Promise<{ told: Told; ago: number }[]> {
  const [seconds, microseconds] = await redis.time();
  const now = Number(seconds) * 1_000 + Number(microseconds) / 1_000;
  const since = now - keptMilliseconds;
  const noted = await redis.zrevrangebyscore(keyOf(orgId), '+inf', since, 'WITHSCORES', 'LIMIT', 0, mostRead);
  const byTime = new Map<string, string[]>();
  for (let at = 0; at < noted.length; at += 2) {
    const [member = '', score = ''] = noted.slice(at, at + 2);
    byTime.set(score, [...(byTime.get(score) ?? []), member]);
  }
  return [...byTime].map(([score, members]) => {
    const ago = now - Number(score) - slackMilliseconds;
    return { told: toldOf(members), ago: Math.max(Math.floor(ago), 0) };
  });
}

function toldOf(members: readonly string[]): Told {
  const [kinds, teams, persons]: [LiveKind[], Record<string, LiveKind[]>, Record<string, LiveKind[]>] = [[], {}, {}];
  for (const member of members) {
    const [name, audience, id] = member.split(' ');
    const kind = liveKinds.find((known) => known === name);
    if (!kind) continue;
    if (!id) kinds.push(kind);
    else ((audience === 'teams' ? teams : persons)[id] ??= []).push(kind);
  }
  return { kinds, persons, ...(Object.keys(teams).length > 0 && { teams }) };
}
