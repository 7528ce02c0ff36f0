import type { moreActivities, presetActivities } from '@caravan/contracts/domain/movement/activities';
import type { Source } from '@caravan/contracts/domain/movement/sources';
import type { BonusUse } from '../bonus-window/index.ts';

/** A name from the product's own lists; what a member typed stays in a row. */
export type ActivityName = (typeof presetActivities)[number]['name'] | (typeof moreActivities)[number] | 'custom';

export type MovementEvent =
  | { type: 'MovementLogged'; data: LoggedMovement }
  | { type: 'MovementCorrected'; data: CorrectedMovement }
  | { type: 'MovementRemoved'; data: RemovedMovement }
  | { type: 'MovementForestalled'; data: { logId: string; userId: string; forestalledAt: string } };

export type LoggedMovement = {
  logId: string;
  userId: string;
  /** The team the miles were earned for; they stay with it (D2). */
  teamId: string;
  activity: ActivityName;
  durationMinutes: number;
  centimiles: number;
  multiplier: number;
  source: Source;
  startedAt: string;
  loggedAt: string;
  /** The member's local date at the start (D10). */
  loggedOn: string;
  timeZone: string;
  /** The distance the member names, in hundredths of a mile; it earns nothing (D5). */
  coveredCentimiles: number | null;
  /** The bonus challenge that it completes; absent on an ordinary log. */
  bonus?: BonusUse;
  /** Of an imported workout: its latest revision, who is shown it, and whether it earns anything (D21). */
  import?: {
    revision: number;
    audience: 'organisation' | 'owner';
    isScored: boolean;
    /** Since when it could be credited; absent: since it was logged. */
    creditableAt?: string;
  };
  /** The same workout counts by another log, or its member said so: it earns nothing (D25). Absent: it counts. */
  notCounted?: NotCounted;
  /** Its member's word on whether it counts (D25). */
  override?: boolean;
};

export type NotCounted = {
  /** The log that counts in its place; null where only its member's word keeps it out. */
  sameAs: { logId: string; source: Source } | null;
};

export type CorrectedMovement = LoggedMovement & {
  /** 1 is the log as it was made. */
  revision: number;
  correctedAt: string;
  previous: Pick<LoggedMovement, 'durationMinutes' | 'centimiles' | 'loggedOn'>;
};

export type RemovedMovement = Pick<
  LoggedMovement,
  'logId' | 'userId' | 'teamId' | 'durationMinutes' | 'centimiles' | 'startedAt' | 'loggedOn'
> & { removedAt: string };

/** The log as it is. */
export type Movement =
  { is: 'absent' } | { is: 'live'; revision: number; log: LoggedMovement } | { is: 'removed'; userId: string };
