import type { LiveAnnouncement, LiveKind } from '@caravan/contracts/http/live';
import { liveKinds } from '@caravan/contracts/http/live';
import type { ChainableCommander } from 'ioredis';
import type { Redis } from './redis.ts';

/** A page that takes longer between its first question and listening is rare; what it missed before, it shows later. */
const keptMilliseconds = 30_000;
/** The clock of who told may differ by the way to Redis. */
const slackMilliseconds = 50;
const mostRead = 1_000;

const keyOf = (orgId: string) => `told:${orgId}`;

type Told = Pick<LiveAnnouncement, 'kinds' | 'teams' | 'persons'>;

/** Notes for pages that do not listen yet what is told at that instant of Redis' clock. */
export function noteTold(commands: ChainableCommander, orgId: string, told: Told, at: number): void {
  const { kinds, teams = {}, persons = {} } = told;
  const members = [...kinds, ...membersOf('teams', teams), ...membersOf('persons', persons)];
  commands
    .zadd(keyOf(orgId), ...members.flatMap((member) => [at, member]))
    .zremrangebyscore(keyOf(orgId), '-inf', at - keptMilliseconds)
    .pexpire(keyOf(orgId), keptMilliseconds);
}

const membersOf = (audience: 'teams' | 'persons', byName: Readonly<Record<string, readonly LiveKind[]>>) =>
  Object.entries(byName).flatMap(([name, kinds]) => kinds.map((kind) => `${kind} ${audience} ${name}`));

/** What has been told in the last milliseconds. */
export async function toldWithin(redis: Redis, orgId: string, milliseconds: number): Promise<Told> {
  const [seconds, microseconds] = await redis.time();
  const now = Number(seconds) * 1_000 + Number(microseconds) / 1_000;
  const since = now - Math.min(milliseconds, keptMilliseconds) - slackMilliseconds;
  const members = await redis.zrevrangebyscore(keyOf(orgId), '+inf', since, 'LIMIT', 0, mostRead);
  const told = {
    kinds: [] as LiveKind[],
    teams: {} as Record<string, LiveKind[]>,
    persons: {} as Record<string, LiveKind[]>,
  };
  for (const member of members) {
    const [name, audience, id] = member.split(' ');
    const kind = liveKinds.find((known) => known === name);
    if (!kind) continue;
    if (id && (audience === 'teams' || audience === 'persons')) (told[audience][id] ??= []).push(kind);
    else told.kinds.push(kind);
  }
  return { kinds: told.kinds, persons: told.persons, ...(Object.keys(told.teams).length > 0 && { teams: told.teams }) };
}
