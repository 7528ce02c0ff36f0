import type { workoutImported, workoutRetracted } from '@caravan/contracts/events/integrations.events';
import type { z } from 'zod';
import { isCounting, type Standing, type Verdict } from './counting.ts';
import type { Judged, Source } from './workout.ts';

type Imported = z.infer<typeof workoutImported.data>;
type Retracted = z.infer<typeof workoutRetracted.data>;
type Content = Omit<Imported, 'logId' | 'userId' | 'revision' | 'importedAt' | 'creditableAt'>;

/** What others were told of an import. */
export type Told = {
  /** Null: nothing of it counts for them. */
  readonly logId: string | null;
  readonly revision: number;
  /** The content of that revision. */
  readonly content: string | null;
};

export const untold: Told = { logId: null, revision: 0, content: null };

export type Telling =
  | { readonly is: 'imported'; readonly told: Told; readonly content: Content; readonly creditableAt: Date }
  | {
      readonly is: 'retracted';
      readonly told: Told;
      readonly logId: string;
      readonly why: Retracted['why'];
      readonly goneAt?: Retracted['goneAt'];
    };

/** Null: of an import that is gone. */
export type Present = Standing & Judged & Pick<Source, 'provider'>;

/** What is to be told now so that others know what is so; undefined when they do. */
export function tellingOf(
  { present, verdict }: { present: Present | null; verdict: Verdict | undefined },
  told: Told,
  newLogId: () => string,
): Telling | undefined {
  if (!present || !verdict || !isCounting(verdict)) {
    if (told.logId === null) return undefined;
    const why = verdict?.state === 'duplicate' ? 'duplicate' : 'deleted';
    return { is: 'retracted', told: untold, logId: told.logId, why };
  }
  const content = contentOf(present);
  const text = JSON.stringify(content);
  if (told.content === text) return undefined;
  const toldNow = { logId: told.logId ?? newLogId(), revision: told.revision + 1, content: text };
  return { is: 'imported', content, creditableAt: present.creditableAt, told: toldNow };
}

const contentOf = (present: Present): Content => ({
  source: present.provider,
  activityType: present.activityType,
  startedAt: present.startedAt.toISOString(),
  durationMinutes: present.durationMinutes,
  audience: present.audience,
  isScored: present.isScored,
  ...measuredOf(present),
  ...(present.override === true && { countsBeside: true }),
});

/** Facts stay, and so long nothing may be kept of what only its owner may see (D21). */
const measuredOf = ({ audience, meters, heartRate, calories }: Present) =>
  audience === 'owner' ? { meters: null, heartRate: null, calories: null } : { meters, heartRate, calories };
