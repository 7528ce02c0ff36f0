import type { LiveAnnouncement, LiveKind } from '@caravan/contracts/http/live';
import { liveKinds } from '@caravan/contracts/http/live';
import type { Redis } from './redis.ts';

/** A page that takes longer from its first question to listening is rare. */
const keptMilliseconds = 30_000;
/** The clock of who told may differ by the way to Redis. */
const slackMilliseconds = 50;
const mostRead = 1_000;

const keyOf = (orgId: string) => `told:${orgId}`;

type Told = Pick<LiveAnnouncement, 'kinds' | 'teams' | 'persons'>;

/** Notes for pages that do not listen yet what is told at that instant of Redis' clock. */
export function noteTold(commands: ReturnType<Redis['multi']>, orgId: string, told: Told, at: number): void {
  const { kinds, teams = {}, persons = {} } = told;
  const members = [...kinds, ...membersOf('teams', teams), ...membersOf('persons', persons)];
  commands
    .zadd(keyOf(orgId), ...members.flatMap((member) => [at, member]))
    .zremrangebyscore(keyOf(orgId), '-inf', at - keptMilliseconds)
    .pexpire(keyOf(orgId), keptMilliseconds);
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
