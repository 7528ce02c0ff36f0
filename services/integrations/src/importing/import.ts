import type { SkipReason } from '@caravan/contracts/http/fitness';
import type { Recording } from '@caravan/contracts/domain/movement/same-workout';
import { type Standing, type Verdict, verdictsOn } from './counting.ts';
import { type Present, type Telling, tellingOf, type Told, untold } from './telling.ts';
import { isNewer, type Seen, type Source } from './workout.ts';

/** A workout of a platform, and what became of it here. */
export type Import = Source &
  Seen & {
    readonly importId: string;
    readonly override: boolean | null;
    readonly state: Verdict['state'] | 'gone';
    readonly sameAs: string | null;
    readonly told: Told;
    /** Logs that it was, and that were retracted. */
    readonly formerLogIds: readonly string[];
    /** When its member deleted its log by hand. */
    readonly removedAt: Date | null;
    /** Since when it could be credited: since it was seen first, or since its owner consented. */
    readonly creditableAt: Date;
  };

type NewId = () => string;

/** What is known, with what was seen now: of the same workout the newer one, once. */
export function mergeImport(
  known: readonly Import[],
  news: readonly Seen[],
  { source, newId }: { source: Source; newId: NewId },
): readonly Import[] {
  const nameOf = (provider: string, externalId: string) => `${provider} ${externalId}`;
  const imports = new Map(known.map((one) => [nameOf(one.provider, one.externalId), one]));
  for (const one of news) {
    const name = nameOf(source.provider, one.externalId);
    const before = imports.get(name);
    const known = before ?? unknown(newId(), one.seenAt);
    // Stryker disable next-line EqualityOperator: of two that are the same either is.
    const creditableAt = one.seenAt < known.creditableAt ? one.seenAt : known.creditableAt;
    if (before && !isNewer(one, before)) imports.set(name, { ...before, creditableAt });
    else imports.set(name, { ...known, ...source, ...one, creditableAt });
  }
  return [...imports.values()];
}

const unknown = (importId: string, creditableAt: Date) => ({
  importId,
  override: null,
  state: 'gone' as const,
  sameAs: null,
  told: untold,
  formerLogIds: [],
  removedAt: null,
  creditableAt,
});

type Settled = {
  /** All that were asked about, with what each counts as now. */
  readonly imports: readonly Import[];
  /** What ends to count before what begins to, so that nothing counts twice in between. */
  readonly tellings: readonly Telling[];
};

export type Around = {
  /** The member's own logs, which count by the same rule. */
  readonly ownLogs: readonly Recording[];
  /** Imports that are not meant only decide about others. */
  readonly isMeant?: ((one: Import) => boolean) | undefined;
};

/** The verdict on each import, and the events that publish it. */
export function settleImports(
  imports: readonly Import[],
  newId: NewId,
  { ownLogs, isMeant = () => true }: Around,
): Settled {
  const verdicts = verdictsOn(standingsOf(imports), ownLogs);
  const all = imports.map((one) => {
    const replaces = one.sameAs;
    if (!isMeant(one)) return { telling: undefined, one, replaces };
    const verdict = verdicts.get(one.importId);
    const telling = tellingOf({ present: presentOf(one), verdict }, one.told, newId);
    const { state, sameAs } = verdict ?? { state: 'gone' as const, sameAs: null };
    const formerLogIds = telling?.is === 'retracted' ? [...one.formerLogIds, telling.logId] : one.formerLogIds;
    return { telling, one: { ...one, state, sameAs, formerLogIds, told: telling?.told ?? one.told }, replaces };
  });
  const replacedIds = new Set(all.filter(({ telling }) => telling?.is === 'imported').map(({ replaces }) => replaces));
  const tellings = all.flatMap(({ telling, one }) => {
    // Stryker disable next-line ConditionalExpression,ArrayDeclaration: what is neither of the two kinds is dropped below.
    if (telling?.is !== 'retracted' || one.state !== 'gone' || replacedIds.has(one.importId)) return telling ?? [];
    return { ...telling, goneAt: { platform: one.provider, isScored: one.isScored } };
  });
  return {
    imports: all.map(({ one }) => one),
    tellings: [...tellings.filter(({ is }) => is === 'retracted'), ...tellings.filter(({ is }) => is === 'imported')],
  };
}

function presentOf({ judged, importId, removedAt, ...one }: Import): Present | null {
  const { override, provider, audience, isScored, creditableAt } = one;
  const standing = { id: importId, override, provider, source: provider, audience, isScored, creditableAt };
  return judged && { ...judged, ...standing, isRemoved: removedAt !== null };
}

export const standingsOf = (all: readonly Import[]): Standing[] => all.map(presentOf).filter((one) => one !== null);

export type Counts = {
  readonly imported: number;
  readonly updated: number;
  readonly removed: number;
  readonly skipped: Readonly<Partial<Record<SkipReason, number>>>;
};

/** What came of it, as the history tells: what was skipped before is not told again. */
export function countsOf(before: readonly Import[], { imports, tellings }: Settled): Counts {
  const stateBefore = new Map(before.map(({ importId, state, judged }) => [importId, { state, why: judged?.why }]));
  const skipped: Partial<Record<SkipReason, number>> = {};
  for (const { importId, state, judged } of imports) {
    const why = state === 'duplicate' || state === 'removed' ? state : judged?.why;
    // A workout that counts has no reason for not counting.
    if (!why) continue;
    const old = stateBefore.get(importId);
    if (old?.state === state && (state !== 'skipped' || old.why === why)) continue;
    skipped[why] = (skipped[why] ?? 0) + 1;
  }
  return {
    imported: tellings.filter(({ told }) => told.revision === 1).length,
    updated: tellings.filter(({ told }) => told.revision > 1).length,
    removed: tellings.filter(({ is }) => is === 'retracted').length,
    skipped,
  };
}
