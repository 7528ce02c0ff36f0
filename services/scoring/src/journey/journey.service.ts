import { randomUUIDv7 } from 'node:crypto';
import type { Caller } from '@caravan/auth/claims';
import { organisationKey } from '@caravan/contracts/events/fact-key';
import type { StartJourneyRequest } from '@caravan/contracts/http/journeys';
import { addDays } from '@caravan/contracts/domain/time/local-days';
import { organisationDateOf } from '@caravan/contracts/domain/time/organisation-zone';
import { EventStore, type Unit } from '@caravan/event-store/core/event-store';
import { withTenant } from '@caravan/event-store/postgres/connections';
import { Live } from '@caravan/service-kit/live/live';
import { Pool } from '@caravan/service-kit/storage/pool';
import { KeyedQueue } from '../queues/index.ts';
import { Sweeps } from '@caravan/service-kit/jobs/sweeps';
import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { zonesOf } from '../directory/index.ts';
import type { Arrival } from './journey.ts';
import { contributorsOf, daysOf, journeyOf, teamsAtStart, type JourneyRecord } from './journey.query.ts';
import { arrivalDatesOf, instantOf, isDue } from './position.ts';
import { journeyStream } from './journey-stream.ts';
import { journeyStartAudited } from './public-events.ts';
import { firstRouteId, routeOfId } from './position.ts';

const nobody: ReadonlyMap<string, readonly string[]> = new Map();

/** Teams arrive rarely and move with every log: a busy organisation is looked at now and then. */
const lookMilliseconds = 250;

@Injectable()
export class JourneyService implements OnModuleDestroy {
  private readonly looks: KeyedQueue;

  constructor(
    @Inject(EventStore) private readonly store: EventStore,
    @Inject(Pool) private readonly pool: Pool,
    @Inject(Live) private readonly live: Live,
    @Inject(Sweeps) { background, log }: Sweeps,
  ) {
    this.looks = new KeyedQueue({
      background,
      name: 'scoring.journey-arrivals',
      run: (orgId) => this.lookAt(orgId),
      onFailure: (error, orgId) => log.warn({ err: error, orgId }, 'arrivals are noted at the next look'),
      pauseMilliseconds: lookMilliseconds,
    });
  }

  onModuleDestroy(): Promise<void> {
    return this.looks.end();
  }

  recordFor({ orgId, userId, at }: Pick<Caller, 'orgId' | 'userId' | 'at'>): Promise<JourneyRecord> {
    return withTenant(this.pool, orgId, async (tx) => {
      const record = await journeyOf(tx, orgId, userId);
      if (record) return record;
      const startsOn = organisationDateOf(await zonesOf(tx, orgId), at);
      const travellers = await teamsAtStart(tx, orgId);
      return { journeyId: '', routeId: firstRouteId, startsOn, startedAt: at.toISOString(), travellers, reached: [] };
    });
  }

  async beginFirst(orgId: string, at: Date): Promise<void> {
    await this.store.transaction({ orgId, actorId: null, at, key: organisationKey(orgId) }, async (unit) =>
      this.begin(unit, organisationDateOf(await zonesOf(unit.tx, orgId), at)),
    );
    this.live.publish(orgId, ['journey']);
  }

  async begin(unit: Unit, startsOn: string): Promise<void> {
    const { orgId, at } = unit.meta;
    const start = { journeyId: randomUUIDv7(), routeId: firstRouteId, startsOn, startedAt: at.toISOString() };
    await unit.handle(journeyStream, orgId, { type: 'BeginJourney', ...start }, nobody);
  }

  /** What teams have walked since the start counts. Throws `Rejected`. */
  async start({ orgId, userId, at, meta }: Caller, { routeId, startsOn }: StartJourneyRequest): Promise<void> {
    await this.store.transaction({ orgId, actorId: userId, at, key: organisationKey(orgId) }, async (unit) => {
      const today = organisationDateOf(await zonesOf(unit.tx, orgId), at);
      const from = startsOn ?? today;
      const startedAt = from === today ? at.toISOString() : `${from}T12:00:00.000Z`;
      const start = { journeyId: randomUUIDv7(), routeId, startsOn: from, startedAt };
      await unit.handle(journeyStream, orgId, { type: 'StartJourney', today, ...start }, nobody);
      await noteArrivals(unit, today);
      const routeName = routeOfId(routeId)?.name ?? routeId;
      await this.store.within(unit.tx, meta).publish(journeyStartAudited(routeName));
    });
    this.live.publish(orgId, ['journey']);
  }

  look(orgId: string): void {
    this.looks.enqueue(orgId);
  }

  async noteDue(orgId: string): Promise<boolean> {
    const record = await withTenant(this.pool, orgId, (tx) => journeyOf(tx, orgId));
    if (!record || !hasArrivals(record)) return false;
    const at = new Date();
    await this.store.transaction({ orgId, actorId: null, at, key: organisationKey(orgId) }, async (unit) =>
      noteArrivals(unit, organisationDateOf(await zonesOf(unit.tx, orgId), at)),
    );
    return true;
  }

  private async lookAt(orgId: string): Promise<false> {
    await this.noteDue(orgId);
    this.live.publish(orgId, ['journey']);
    return false;
  }
}

function hasArrivals({ routeId, travellers }: JourneyRecord): boolean {
  const route = routeOfId(routeId);
  return route !== undefined && travellers.some((traveller) => isDue(route, traveller));
}

async function noteArrivals(unit: Unit, today: string): Promise<void> {
  const { tx, meta } = unit;
  const record = await journeyOf(tx, meta.orgId);
  const route = record && routeOfId(record.routeId);
  if (!record || !route) return;
  const { journeyId, startsOn } = record;
  const due = record.travellers.filter((traveller) => isDue(route, traveller));
  if (due.length === 0) return;
  const arrivals: Arrival[] = [];
  for (const { teamId, checkpoint: from } of due) {
    const dates = arrivalDatesOf(route, await daysOf(tx, meta.orgId, { teamId, startsOn }), from);
    const clock = { yesterday: addDays(today, -1), at: meta.at };
    for (const { checkpoint, on } of dates) arrivals.push({ teamId, checkpoint, reachedAt: instantOf(on, clock) });
  }
  const teamIds = due.map(({ teamId }) => teamId);
  const contributors = await contributorsOf(tx, meta.orgId, { teamIds, since: startsOn });
  await unit.handle(journeyStream, meta.orgId, { type: 'NoteArrivals', journeyId, arrivals }, contributors);
}
