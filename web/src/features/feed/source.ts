import type { FeedPost } from '@caravan/contracts/http/feed';
import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { HeartPulse, PencilLine, Route, Timer, Watch, type LucideIcon } from 'lucide-react';

type Badge = { label: MessageDescriptor; icon: LucideIcon };

const manual: Badge = { label: msg`Manual`, icon: PencilLine };

const badges: Record<FeedPost['source'], Badge> = {
  'apple-watch': { label: msg`Apple Watch`, icon: Watch },
  'google-fit': { label: msg`Google Fit`, icon: HeartPulse },
  strava: { label: msg`Strava`, icon: Route },
  fitbit: { label: msg`Fitbit`, icon: Watch },
  timer: { label: msg`Timer`, icon: Timer },
  manual,
};

const known: ReadonlyMap<string, Badge> = new Map(Object.entries(badges));

/** Where a movement came from; what is not known counts as manual (3). */
export const sourceOf = (source: string): Badge => known.get(source) ?? manual;
