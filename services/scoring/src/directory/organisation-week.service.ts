import { onlyZone, organisationWeekOf, type ZoneHistory } from '@caravan/contracts/domain/time/organisation-zone';
import { Pool } from '@caravan/service-kit/storage/pool';
import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { knownZones } from './directory.query.ts';

/** Weeks start on Monday 00:00 in the organisation's own time zone (D10). */
@Injectable()
export class OrganisationWeek {
  // A change is known an hour before it holds: what is kept for a minute is never too old.
  private readonly zones = new LRUCache<string, ZoneHistory>({ max: 10_000, ttl: 60_000 });

  constructor(@Inject(Pool) private readonly pool: Pool) {}

  async startOf(orgId: string, instant: Date): Promise<string> {
    return organisationWeekOf(await this.zonesOf(orgId), instant);
  }

  /** UTC of an organisation that is not known here yet. */
  async zonesOf(orgId: string): Promise<ZoneHistory> {
    const known = this.zones.get(orgId);
    if (known !== undefined) return known;
    const zones = await knownZones(this.pool, orgId);
    if (zones !== undefined) this.zones.set(orgId, zones);
    return zones ?? onlyZone('UTC');
  }
}
