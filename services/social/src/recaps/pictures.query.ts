import { createHash } from 'node:crypto';
import type { Caller } from '@caravan/auth/claims';
import { milesOf } from '@caravan/contracts/domain/movement/miles';
import { hiddenMemberName } from '@caravan/contracts/domain/unnamed';
import { withTenant } from '@caravan/event-store/postgres/connections';
import { Drawing } from '../drawing/index.ts';
import { Pool } from '@caravan/service-kit/storage/pool';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { type Picture, svgOf } from './picture.ts';
import { ownMiles, recapRow, teamsOf } from './recaps.query.ts';

/** About 60 kB each. */
const mostKept = 200;

const fonts = ['./figtree-medium.ttf', './figtree-extrabold.ttf'].map((file) => new URL(file, import.meta.url));

export type DrawnPicture = { readonly tag: string; readonly png: () => Promise<Buffer> };

/** Kept by what they show: a team that is renamed has another picture, and what is asked for by many is drawn once. */
@Injectable()
export class RecapPictures implements OnApplicationShutdown {
  private readonly drawing = new Drawing({ fonts, fontFamily: 'Figtree' });
  private readonly drawn = new LRUCache<string, Promise<Buffer>>({ max: mostKept });

  constructor(@Inject(Pool) private readonly pool: Pool) {}

  onApplicationShutdown(): Promise<void> {
    return this.drawing.close();
  }

  /** Throws `Rejected` (not-found) for what is no recap of the caller's organisation. */
  async pictureOf(caller: Caller, recapId: string, isWithOwn: boolean): Promise<DrawnPicture> {
    const svg = svgOf(await this.shown(caller, recapId, isWithOwn));
    const tag = createHash('sha256').update(svg).digest('base64url');
    return { tag, png: () => this.kept(tag, svg) };
  }

  private kept(tag: string, svg: string): Promise<Buffer> {
    const known = this.drawn.get(tag);
    if (known) return known;
    const png = this.drawing.png(svg);
    this.drawn.set(tag, png);
    png.catch(() => this.drawn.delete(tag));
    return png;
  }

  private shown(caller: Caller, recapId: string, isWithOwn: boolean): Promise<Picture> {
    const { orgId, userId } = caller;
    return withTenant(this.pool, orgId, async (tx) => {
      const row = await recapRow(tx, orgId, 'r.recap_id = $2', recapId);
      const { story, weekStartDate, weekEndDate, memberCount } = row;
      const teams = await teamsOf(
        tx,
        orgId,
        story.teams.map(({ teamId }) => teamId),
      );
      const own = isWithOwn ? await ownMiles(tx, caller, weekStartDate) : null;
      const { rows } = await tx.query<{ name: string }>(
        'select name from members where org_id = $1 and user_id = $2 and not is_erased',
        [orgId, userId],
      );
      return {
        weekStartDate,
        weekEndDate,
        memberCount,
        miles: milesOf(row.centimiles),
        previousMiles: milesOf(story.previousCentimiles),
        teams: story.teams.map(({ teamId, centimiles }) => ({ name: teams(teamId).name, miles: milesOf(centimiles) })),
        streaksKept: story.streaks.kept,
        checkpoints: story.checkpoints.length,
        own: own && { name: rows[0]?.name ?? hiddenMemberName, miles: own.miles },
      };
    });
  }
}
