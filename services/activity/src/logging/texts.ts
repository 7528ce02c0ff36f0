import type { CorrectLogRequest, LogRequest } from '@caravan/contracts/http/movement';
import type { RowOf } from '@caravan/event-store/postgres/table';
import type { KeptPhoto } from '@caravan/service-kit/storage/photo-address';
import { activityNameOf } from './movement.ts';

/** Words and measures of a log's owner or their watch, beside the figures that count. Only rows hold them, never the log. */
export const details = {
  caption: 'text null',
  location: 'text null',
  heartRate: 'integer null',
  calories: 'integer null',
  /** 1 to 5; only the owner is told. */
  perceivedEffort: 'smallint null',
} as const;

export type Details = RowOf<typeof details>;

export const noDetails: Details = {
  caption: null,
  location: null,
  heartRate: null,
  calories: null,
  perceivedEffort: null,
};

/** The part of a log that lies in rows and travels beside its events. */
export type MovementTexts = { readonly activityType: string; readonly photo: KeptPhoto | null } & Details;
export type OwnTexts = Omit<MovementTexts, 'photo'>;

/** True when the log alone could not show it. */
export const hasOwnTexts = ({ activityType, ...texts }: OwnTexts): boolean =>
  activityNameOf(activityType) === 'custom' || namesOfDetails.some((name) => texts[name] !== null);

export const areSameTexts = (one: OwnTexts, other: OwnTexts): boolean =>
  one.activityType === other.activityType && namesOfDetails.every((name) => one[name] === other[name]);

const namesOfDetails = Object.keys(details) as readonly (keyof Details)[];

type TypedTexts = Pick<MovementTexts, 'activityType' | 'caption' | 'location' | 'perceivedEffort'>;

export function textsOf({ activityType, photoPrompt, location, perceivedEffort }: LogRequest): TypedTexts {
  return {
    activityType,
    caption: photoPrompt || null,
    location: location || null,
    perceivedEffort: perceivedEffort ?? null,
  };
}

export function correctedTexts(
  { activityType, photoPrompt, location, perceivedEffort }: CorrectLogRequest,
  before: TypedTexts,
): TypedTexts {
  const text = (said: string | null | undefined, known: string | null) => (said === undefined ? known : said || null);
  return {
    activityType: activityType ?? before.activityType,
    caption: text(photoPrompt, before.caption),
    location: text(location, before.location),
    perceivedEffort: perceivedEffort === undefined ? before.perceivedEffort : perceivedEffort,
  };
}
