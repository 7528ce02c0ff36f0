import { PhotoAddresses } from '@caravan/service-kit/storage/photo-address';
import { Pool } from '@caravan/service-kit/storage/pool';
import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { type Beside, besideBoard, boardForAll, type Stands, type WhichPage } from './leaderboard-rows.query.ts';
import type { BoardStretch } from './leaderboard-entry.ts';
import { type Person, type SharedBoard, sharedBoardOf } from './leaderboard.ts';

const mostKept = 500;
/** A change may stay unannounced when its process ends, so no board is kept for longer. */
const keptMilliseconds = 1_000;

type KeptBoard = Stands & { readonly change: string | undefined; readonly board: SharedBoard };

/** Composes the part of a board that is the same for all readers, once for each change. */
@Injectable()
export class SharedBoards {
  private readonly kept = new LRUCache<string, KeptBoard>({ max: mostKept, ttl: keptMilliseconds });
  private readonly underWay = new Map<string, Promise<KeptBoard>>();

  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(PhotoAddresses) private readonly addresses: PhotoAddresses,
  ) {}

  knownOf(which: WhichPage): { readonly change: string; readonly board: SharedBoard } | undefined {
    const kept = this.kept.get(keyOf(which));
    return kept?.change === undefined ? undefined : { change: kept.change, board: kept.board };
  }

  /** The board is never older than the reading that found `top` after `change`. */
  async read(
    which: WhichPage,
    { change, top, at }: { change: string | undefined; top: BoardStretch; at: Date },
    stands: Stands,
  ): Promise<SharedBoard> {
    const key = keyOf(which);
    const isSame = (kept: KeptBoard | undefined): kept is KeptBoard =>
      kept !== undefined &&
      kept.change === change &&
      kept.generation === stands.generation &&
      kept.directoryChange === stands.directoryChange;
    if (change === undefined) return (await this.compose(which, { change, top, at })).board;
    const kept = this.kept.get(key);
    if (isSame(kept)) return kept.board;
    // When the board under way is an older one, one caller composes the next and the others wait for it.
    for (let turn = 0; turn < 2 && this.underWay.has(key); turn += 1) {
      const others = await this.underWay.get(key)?.catch(() => undefined);
      if (isSame(others)) return others.board;
    }
    const composing = this.compose(which, { change, top, at });
    this.underWay.set(key, composing);
    try {
      const composed = await composing;
      this.kept.set(key, composed);
      return composed.board;
    } finally {
      if (this.underWay.get(key) === composing) this.underWay.delete(key);
    }
  }

  /** The rows beside the board that differ by reader. */
  async beside(
    which: WhichPage,
    { userId, at, people }: { userId: string; at: Date; people: readonly string[] },
  ): Promise<Beside> {
    const row = await besideBoard(this.pool, which, userId, people);
    return { ...row, people: this.signPhotos(row.people, { orgId: which.orgId, at }) };
  }

  private async compose(
    which: WhichPage,
    { change, top, at }: { change: string | undefined; top: BoardStretch; at: Date },
  ): Promise<KeptBoard> {
    const ids = top.entries.map(({ userId }) => userId);
    const { people, standings, ...stands } = await boardForAll(this.pool, which, ids);
    const { orgId, period } = which;
    const board = sharedBoardOf({ period, top, people: this.signPhotos(people, { orgId, at }), standings });
    return { ...stands, change, board };
  }

  private signPhotos(people: readonly Person[], reading: { readonly orgId: string; readonly at: Date }): Person[] {
    return people.map((person) => ({ ...person, photoUrl: this.addresses.face(person.photoUrl, reading) }));
  }
}

const keyOf = ({ orgId, period, runningWeek }: WhichPage): string => `${orgId} ${period} ${runningWeek}`;
