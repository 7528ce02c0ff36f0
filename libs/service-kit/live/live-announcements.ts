import { randomUUID } from 'node:crypto';
import type { LiveAnnouncement, LiveKind } from '@caravan/contracts/http/live';
import { liveKinds } from '@caravan/contracts/http/live';
import { channelName, type Redis } from '../storage/redis.ts';

/** A page that takes longer from its first question to listening is rare. */
const keptMilliseconds = 30_000;
/** The clock of who told may differ by the way to Redis. */
const slackMilliseconds = 50;
const mostRead = 1_000;

const keyOf = (orgId: string) => `live-recent:${orgId}`;

type Told = Pick<LiveAnnouncement, 'kinds' | 'teams' | 'persons'>;

/** A process that hangs or dies while it reads gives its turn up after that. */
const turnMilliseconds = 500;
/** Requests that were handed over or answered are dropped. */
const sharedMilliseconds = 10_000;

/**
 * KEYS: what was told, whose turn it is. ARGV: process, milliseconds that its turn lasts from now, instant, oldest
 * instant, milliseconds kept, channel, announcement, what it tells. Lua's stack holds some thousands.
 */
const tellScript = `
if redis.call('GET', KEYS[2]) == ARGV[1] then redis.call('PEXPIRE', KEYS[2], ARGV[2]) end
for from = 8, #ARGV, 1000 do
  local noted = {}
  for i = from, math.min(from + 999, #ARGV) do
    noted[#noted + 1] = ARGV[3]
    noted[#noted + 1] = ARGV[i]
  end
  redis.call('ZADD', KEYS[1], unpack(noted))
end
if #ARGV > 7 then
  redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', ARGV[4])
  redis.call('PEXPIRE', KEYS[1], ARGV[5])
end
return redis.call('PUBLISH', ARGV[6], ARGV[7])`;

/**
 * KEYS: who shows what, whose turn it is, what was handed over, requests that were answered. ARGV: process, what it has to
 * publish, milliseconds of a turn, milliseconds kept, requests. One process of a service publishes for an organisation and
 * tick: it takes the turn, with what others have handed over, Redis' clock and the notes of gateways. Another one hands
 * over what it has and hears how long the turn lasts.
 */
const turnScript = `
local open = {}
for i = 5, #ARGV do
  if redis.call('SISMEMBER', KEYS[4], ARGV[i]) == 0 then open[#open + 1] = ARGV[i] end
end
if ARGV[2] == '' and #open == 0 and redis.call('LLEN', KEYS[3]) == 0 then return { 'nothing' } end
local owner = redis.call('GET', KEYS[2])
if owner and owner ~= ARGV[1] then
  if ARGV[2] ~= '' then
    redis.call('RPUSH', KEYS[3], ARGV[2])
    redis.call('PEXPIRE', KEYS[3], ARGV[4])
  end
  return { 'later', redis.call('PTTL', KEYS[2]) }
end
redis.call('SET', KEYS[2], ARGV[1], 'PX', ARGV[3])
local handed = redis.call('LRANGE', KEYS[3], 0, -1)
if #handed > 0 then redis.call('DEL', KEYS[3]) end
for _, id in ipairs(open) do redis.call('SADD', KEYS[4], id) end
if #open > 0 then redis.call('PEXPIRE', KEYS[4], ARGV[4]) end
return { 'now', redis.call('TIME'), redis.call('HGETALL', KEYS[1]), handed, open }`;

type TurnAnswer =
  | ['nothing']
  | ['later', milliseconds: number]
  | ['now', time: [string, string], notes: string[], handedOver: string[], open: string[]];

type Commands = {
  liveTell(...args: (string | number)[]): Promise<number>;
  liveTurn(...args: (string | number)[]): Promise<TurnAnswer>;
};

export type Turn =
  /** Others have published it. */
  | { readonly is: 'nothing' }
  /** Another process publishes, and what was due here is handed over. */
  | { readonly is: 'later'; readonly milliseconds: number }
  | {
      readonly is: 'now';
      /** Microseconds of Redis' clock. */
      readonly now: number;
      /** The records of gateways about their pages. */
      readonly notes: Readonly<Record<string, string>>;
      readonly handedOver: readonly string[];
      /** Requests that no process has answered. */
      readonly open: readonly string[];
    };

/** A live message and its record are written in one step, and so are the page's kinds. */
export class LivePublisher {
  private readonly redis: Redis;
  private readonly commands: Commands;
  private readonly service: string;
  private readonly process = randomUUID();

  constructor(redis: Redis, service: string) {
    this.redis = redis;
    this.service = service;
    redis.defineCommand('liveTell', { numberOfKeys: 2, lua: tellScript });
    redis.defineCommand('liveTurn', { numberOfKeys: 4, lua: turnScript });
    this.commands = redis as unknown as Commands;
  }

  /** At that instant of Redis' clock. Pages that do not listen yet find it noted, unless it only shows something. */
  async tell(orgId: string, told: LiveAnnouncement, at: number, tickMilliseconds: number): Promise<void> {
    const { kinds, teams = {}, persons = {} } = told;
    const members = [...kinds, ...membersOf('teams', teams), ...membersOf('persons', persons)];
    const keys = [keyOf(orgId), this.turnKeyOf(orgId)];
    const turn = [this.process, tickMilliseconds];
    const note = [at, at - keptMilliseconds, keptMilliseconds];
    const message = [channelName(this.redis, `live:${orgId}`), JSON.stringify(told)];
    await this.commands.liveTell(...keys, ...turn, ...note, ...message, ...members);
  }

  /** Takes the turn to publish for an organisation, or hands over what is due to the process that has it. */
  async turn(orgId: string, due: string, requests: readonly string[]): Promise<Turn> {
    const shared = [`live-pending:${this.service}:${orgId}`, `live-answered:${this.service}:${orgId}`];
    const keys = [`pages:${orgId}`, this.turnKeyOf(orgId), ...shared];
    const times = [turnMilliseconds, sharedMilliseconds];
    const answer = await this.commands.liveTurn(...keys, this.process, due, ...times, ...requests);
    if (answer[0] === 'nothing') return { is: 'nothing' };
    if (answer[0] === 'later') return { is: 'later', milliseconds: Math.max(answer[1], 1) };
    const [, [seconds, microseconds], flat, handedOver, open] = answer;
    const notes: Record<string, string> = {};
    for (let at = 0; at + 1 < flat.length; at += 2) notes[flat[at] ?? ''] = flat[at + 1] ?? '';
    return { is: 'now', now: Number(seconds) * 1_000_000 + Number(microseconds), notes, handedOver, open };
  }

  /** Nothing was published in this turn. */
  async giveBack(orgId: string): Promise<void> {
    await this.redis.del(this.turnKeyOf(orgId));
  }

  private turnKeyOf(orgId: string): string {
    return `live-turn:${this.service}:${orgId}`;
  }
}

const membersOf = (audience: 'teams' | 'persons', byName: Readonly<Record<string, readonly LiveKind[]>>) =>
  Object.entries(byName).flatMap(([name, kinds]) => kinds.map((kind) => `${kind} ${audience} ${name}`));

/** Recent live messages, newest first, with their age in milliseconds. */
export async function recentAnnouncements(redis: Redis, orgId: string): Promise<{ told: Told; ago: number }[]> {
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
  const kinds: LiveKind[] = [];
  const teams: Record<string, LiveKind[]> = {};
  const persons: Record<string, LiveKind[]> = {};
  for (const member of members) {
    const [name, audience, id] = member.split(' ');
    const kind = liveKinds.find((known) => known === name);
    if (!kind) continue;
    if (!id) kinds.push(kind);
    else ((audience === 'teams' ? teams : persons)[id] ??= []).push(kind);
  }
  return { kinds, persons, ...(Object.keys(teams).length > 0 && { teams }) };
}
