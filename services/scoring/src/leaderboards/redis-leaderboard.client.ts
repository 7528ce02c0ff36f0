import { randomUUID } from 'node:crypto';
import { Redis } from '@caravan/service-kit/storage/redis';
import { Inject, Injectable } from '@nestjs/common';
import { boardNameOf, scoreOf, userIdOf } from './leaderboard-entry.ts';
import type { BoardEntry, BoardStretch, WhichBoard } from './leaderboard-entry.ts';
import { beginScript, finishScript, giveUpScript, raiseScript, readScript } from './redis-scripts.ts';

export type BoardExtent = {
  readonly top: number;
  readonly neighbours: number;
  /** The top is not read again as long as no board of the organisation has changed since then. */
  readonly known?: string | undefined;
};

export type BoardReading = {
  readonly top: BoardStretch;
  readonly around: BoardStretch;
};

export type FastReading = BoardReading & {
  /** A board of an older generation than the rows' misses changes. */
  readonly generation: string;
  readonly ownVersion: number;
  /** The last of any board of the organisation; undefined where it is not known. */
  readonly change: string | undefined;
};

/** `version`: the count of entries behind the total. */
export type VersionedTotal = { userId: string; centimiles: number; reachedAt: Date; version: number };

export type Raise = { readonly board: WhichBoard; readonly totals: readonly VersionedTotal[] };

export type Build = { readonly board: WhichBoard; readonly builder: string; readonly ready: string };

type Command<Answer> = (...args: (string | number)[]) => Promise<Answer>;
type BoardCommands = {
  boardRaise: Command<number>;
  boardRead: Command<[] | [string, string, string[], string, number, number, string[]]>;
  boardBegin: Command<number>;
  boardFinish: Command<number>;
  boardGiveUp: Command<number>;
};

const buildTimeoutMilliseconds = 30_000;
/** Seven days from the week's first reader on. */
const weekSeconds = 14 * 86_400;

/** A copy that may vanish, be restarted from an old copy or miss changes, and then tells. */
@Injectable()
export class RedisLeaderboard {
  private readonly commands: BoardCommands;
  /** A board that was completed in another run of Redis may lack changes. */
  private runId: Promise<string> | undefined;

  constructor(@Inject(Redis) private readonly redis: Redis) {
    redis.defineCommand('boardRaise', { lua: raiseScript });
    for (const [name, lua] of Object.entries({
      boardRead: readScript,
      boardBegin: beginScript,
      boardFinish: finishScript,
      boardGiveUp: giveUpScript,
    }))
      redis.defineCommand(name, { numberOfKeys: 5, lua });
    this.commands = redis as unknown as BoardCommands;
    redis.on('close', () => {
      this.runId = undefined;
    });
  }

  /** Undefined: the board is not complete. Rejects when Redis is away. */
  async read(
    board: WhichBoard,
    userId: string,
    { top, neighbours, known = '' }: BoardExtent,
  ): Promise<FastReading | undefined> {
    const [answer, runId] = await Promise.all([
      this.commands.boardRead(...keysOf(board), userId, top, neighbours, known),
      this.serverRunId(),
    ]);
    const [ready, change, first, version, above, rank, around] = answer;
    const generation = ready?.startsWith(`${runId}:`) ? ready.slice(runId.length + 1) : undefined;
    if (generation === undefined || above === undefined || rank === undefined) return undefined;
    return {
      generation,
      ownVersion: Number(version),
      change: change === '' ? undefined : change,
      top: { entries: entriesOf(first), above: 0, firstRank: 1 },
      around: { entries: entriesOf(around), above, firstRank: rank },
    };
  }

  /** Of one organisation. */
  async raise(...raises: readonly Raise[]): Promise<void> {
    const due = raises.filter(({ totals }) => totals.length > 0);
    const [first] = due;
    if (!first) return;
    const keys = [...due.flatMap(({ board }) => keysOf(board).slice(0, 4)), changeKeyOf(first.board)];
    await this.commands.boardRaise(keys.length, ...keys, ...due.flatMap(flatOf), randomUUID());
  }

  async begin(board: WhichBoard, generation: string): Promise<Build | undefined> {
    const builder = randomUUID();
    const ready = `${await this.serverRunId()}:${generation}`;
    const hasBegun = await this.commands.boardBegin(...keysOf(board), builder, buildTimeoutMilliseconds);
    return hasBegun === 1 ? { board, builder, ready } : undefined;
  }

  async continueWith({ board }: Build, totals: readonly VersionedTotal[]): Promise<void> {
    await this.raise({ board, totals });
    await this.redis.pexpire(keysOf(board)[3], buildTimeoutMilliseconds);
  }

  /** False when Redis was emptied or the build was given up meanwhile. */
  async finish({ board, builder, ready }: Build): Promise<boolean> {
    return (await this.commands.boardFinish(...keysOf(board), builder, ready, secondsOf(board))) === 1;
  }

  async giveUp({ board, builder }: Build): Promise<void> {
    await this.commands.boardGiveUp(...keysOf(board), builder);
  }

  async drop(orgId: string, weeks: readonly (string | null)[]): Promise<void> {
    await this.redis.unlink(...weeks.flatMap((weekStartsOn) => keysOf({ orgId, weekStartsOn })));
  }

  private serverRunId(): Promise<string> {
    this.runId ??= this.askServerRunId().catch((error: unknown) => {
      this.runId = undefined;
      throw error;
    });
    return this.runId;
  }

  private async askServerRunId(): Promise<string> {
    const [, runId] = /^run_id:(\S+)/m.exec(await this.redis.info('server')) ?? [];
    if (runId === undefined) throw new Error('Redis names no run_id');
    return runId;
  }
}

/** The braces keep an organisation's boards on one node of a cluster. */
function keysOf({ orgId, weekStartsOn }: WhichBoard): [string, string, string, string, string] {
  const board = `lb:{${orgId}}:u:${weekStartsOn ?? 'all'}`;
  return [board, `${board}:versions`, `${board}:ready`, `${board}:building`, changeKeyOf({ orgId })];
}

const changeKeyOf = ({ orgId }: Pick<WhichBoard, 'orgId'>): string => `lb:{${orgId}}:change`;

const secondsOf = ({ weekStartsOn }: WhichBoard): number => (weekStartsOn === null ? 0 : weekSeconds);

function flatOf({ board, totals }: Raise): (string | number)[] {
  return [
    totals.length,
    secondsOf(board),
    ...totals.flatMap(({ userId, centimiles, reachedAt, version }) => [
      userId,
      version,
      centimiles,
      scoreOf(centimiles),
      boardNameOf(userId, reachedAt),
    ]),
  ];
}

function entriesOf(flat: readonly string[] = []): BoardEntry[] {
  return Array.from({ length: flat.length / 2 }, (_, index) => ({
    userId: userIdOf(flat[2 * index] ?? ''),
    centimiles: -Number(flat[2 * index + 1]),
  }));
}
