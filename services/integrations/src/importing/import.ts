import type { SkipReason } from '@caravan/contracts/http/fitness';
import { isCounting, type Removal, type Removed, type Standing, type Verdict, verdictsOn } from './counting.ts';
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
    /** Also of what is gone at its platform: its like at another one stays out. */
    readonly removal: Removal | null;
  };

type NewId = () => string;

/** What is known, with what was seen now: of the same workout the newer one, once. */
export function merged(
  known: readonly Import[],
  news: readonly Seen[],
  { source, newId }: { source: Source; newId: NewId },
): readonly Import[] {
  const nameOf = (provider: string, externalId: string) => `${provider} ${externalId}`;
  const imports = new Map(known.map((one) => [nameOf(one.provider, one.externalId), one]));
  for (const one of news) {
    const name = nameOf(source.provider, one.externalId);
    const before = imports.get(name);
    if (before && !isNewer(one, before)) continue;
    imports.set(name, { ...(before ?? unknown(newId())), ...source, ...one });
  }
  return [...imports.values()];
}

const unknown = (importId: string) =>
  ({ importId, override: null, state: 'gone', sameAs: null, told: untold, formerLogIds: [], removal: null }) as const;

type Settled = {
  /** All that were asked about, with what each counts as now. */
  readonly imports: readonly Import[];
  /** What ends to count before what begins to, so that nothing counts twice in between. */
  readonly tellings: readonly Telling[];
};

/** What each counts as now, and what others have to be told for it; those that are not meant only decide about others. */
export function settled(
  imports: readonly Import[],
  newId: NewId,
  isMeant: (one: Import) => boolean = () => true,
): Settled {
  const verdicts = verdictsOn(standingsOf(imports), removalsOf(imports));
  const all = imports.map((one) => {
    if (!isMeant(one)) return { telling: undefined, one };
    const verdict = verdicts.get(one.importId);
    const telling = tellingOf({ present: presentOf(one), verdict }, one.told, newId);
    const { state, sameAs } = verdict ?? { state: 'gone' as const, sameAs: null };
    const formerLogIds = telling?.is === 'retracted' ? [...one.formerLogIds, telling.logId] : one.formerLogIds;
    return { telling, one: { ...one, state, sameAs, formerLogIds, told: telling?.told ?? one.told } };
  });
  const tellings = all.flatMap(({ telling }) => telling ?? []);
  return {
    imports: all.map(({ one }) => one),
    tellings: tellings.toSorted((a, b) => Number(a.is === 'imported') - Number(b.is === 'imported')),
  };
}

function presentOf({ judged, importId, override, provider, audience, isScored }: Import): Present | null {
  return judged && { ...judged, importId, override, provider, audience, isScored };
}

export const standingOf = (one: Import): Standing | null => presentOf(one);
export const standingsOf = (all: readonly Import[]): Standing[] => all.flatMap((one) => standingOf(one) ?? []);

export const removalsOf = (all: readonly Import[]): Removed[] =>
  all.flatMap(({ importId, provider, removal }) => (removal ? [{ ...removal, importId, provider }] : []));

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
    if (!why || isCounting({ state: state === 'gone' ? 'skipped' : state, sameAs: null })) continue;
    const old = stateBefore.get(importId);
    if (old?.state === state && (state !== 'skipped' || old.why === why)) continue;
    skipped[why] = (skipped[why] ?? 0) + 1;
  }
  return {
    imported: tellings.filter(({ is, told }) => is === 'imported' && told.revision === 1).length,
    updated: tellings.filter(({ is, told }) => is === 'imported' && told.revision > 1).length,
    removed: tellings.filter(({ is }) => is === 'retracted').length,
    skipped,
  };
}
