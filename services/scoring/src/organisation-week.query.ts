import { localDateOf, weekStartOf } from '@caravan/contracts/local-days';
import { tenantQuery } from '@caravan/event-store/postgres';
import { Pool } from '@caravan/service-kit/pool';
import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';

/** Which week it is for an organisation: weeks start on Monday 00:00 in its own time zone (D10). */
@Injectable()
export class OrganisationWeek {
  private readonly zones = new LRUCache<string, string>({ max: 10_000, ttl: 60_000 });

  constructor(@Inject(Pool) private readonly pool: Pool) {}

  /** Monday (YYYY-MM-DD) of the week in which the instant lies; UTC's for an organisation that is not known yet. */
  async startOf(orgId: string, instant: Date): Promise<string> {
    return weekStartOf(localDateOf(instant, (await this.zoneOf(orgId)) ?? 'UTC'));
  }

  private async zoneOf(orgId: string): Promise<string | undefined> {
    const known = this.zones.get(orgId);
    if (known !== undefined) return known;
    const { rows } = await tenantQuery<{ timeZone: string }>(
      this.pool,
      orgId,
      'select time_zone as "timeZone" from organisations where org_id = $1',
      [orgId],
    );
    const zone = rows[0]?.timeZone;
    if (zone !== undefined) this.zones.set(orgId, zone);
    return zone;
  }
}
