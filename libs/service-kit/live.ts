import type { LiveAnnouncement, LiveKind } from '@caravan/contracts/http/live';
import { Inject, Injectable } from '@nestjs/common';
import { Log } from './log.ts';
import { channelName, Redis } from './redis.ts';

/** Pages of an organisation hear at most this often: many changes at once are one reason to read again. */
const pauseMilliseconds = 250;

type ByName = Map<string, Set<LiveKind>>;
type Due = { readonly kinds: Set<LiveKind>; readonly persons: ByName; readonly teams: ByName };
/** Who hears it instead of everybody, and what members of some teams hear beside it. */
type Audience = {
  readonly to?: string;
  readonly teams?: { readonly teamIds: readonly string[]; readonly kinds: readonly LiveKind[] };
};

/** Tells the open pages of an organisation, or of one person, what to read again (D35). */
@Injectable()
export class Live {
  /** What became due in the pause after an organisation's last message. */
  private readonly due = new Map<string, Due>();

  constructor(
    @Inject(Redis) private readonly redis: Redis,
    @Inject(Log) private readonly log: Log,
  ) {}

  /**
   * Call after commit; with `to` only that person's pages hear it, `teams` says more to some teams. The first message of
   * an organisation leaves at once, what follows within 250 ms in one. Never throws: a page that hears nothing still refetches when it reconnects.
   */
  publish(orgId: string, kinds: readonly LiveKind[], audience: Audience = {}): void {
    const due = this.due.get(orgId);
    if (due) {
      add(due, kinds, audience);
      return;
    }
    const now = nothingDue();
    add(now, kinds, audience);
    this.send(orgId, now);
  }

  private send(orgId: string, { kinds, persons, teams }: Due): void {
    this.due.set(orgId, nothingDue());
    setTimeout(() => this.endPause(orgId), pauseMilliseconds).unref();
    const announcement: LiveAnnouncement = {
      kinds: [...kinds],
      ...(persons.size > 0 && { persons: told(persons) }),
      ...(teams.size > 0 && { teams: told(teams) }),
    };
    const channel = channelName(this.redis, `live:${orgId}`);
    this.redis.publish(channel, JSON.stringify(announcement)).catch((error: unknown) => {
      this.log.debug({ err: error }, 'live message not sent');
    });
  }

  private endPause(orgId: string): void {
    const due = this.due.get(orgId);
    this.due.delete(orgId);
    if (due && due.kinds.size + due.persons.size + due.teams.size > 0) this.send(orgId, due);
  }
}

const nothingDue = (): Due => ({ kinds: new Set(), persons: new Map(), teams: new Map() });

const told = (byName: ByName) => Object.fromEntries([...byName].map(([name, kinds]) => [name, [...kinds]]));

function add(
  { kinds: everybodys, persons, teams: ofTeams }: Due,
  kinds: readonly LiveKind[],
  audience: Audience,
): void {
  const { to, teams } = audience;
  if (to === undefined) for (const kind of kinds) everybodys.add(kind);
  else note(persons, to, kinds);
  for (const teamId of teams?.teamIds ?? []) note(ofTeams, teamId, teams?.kinds ?? []);
}

function note(byName: ByName, name: string, kinds: readonly LiveKind[]): void {
  byName.set(name, new Set([...(byName.get(name) ?? []), ...kinds]));
}
