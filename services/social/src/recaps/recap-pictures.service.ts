import { createHash } from 'node:crypto';
import type { Caller } from '@caravan/auth/claims';
import { Drawing } from '../drawing/index.ts';
import { Pool } from '@caravan/service-kit/storage/pool';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { svgOf } from './picture.ts';
import { pictureOf } from './pictures.query.ts';

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
    const svg = svgOf(await pictureOf(this.pool, caller, recapId, isWithOwn));
    const tag = createHash('sha256').update(svg).digest('base64url');
    return { tag, png: () => this.drawOnce(tag, svg) };
  }

  private drawOnce(tag: string, svg: string): Promise<Buffer> {
    const known = this.drawn.get(tag);
    if (known) return known;
    const png = this.drawing.png(svg);
    this.drawn.set(tag, png);
    png.catch(() => this.drawn.delete(tag));
    return png;
  }
}
