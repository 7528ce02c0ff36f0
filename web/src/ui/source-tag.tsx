import type { Source } from '@caravan/contracts/domain/movement/sources';
import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { HeartPulse, type LucideIcon, PencilLine, Route, Timer, Watch } from 'lucide-react';
import { Tag } from './button.tsx';

type Badge = { label: MessageDescriptor; icon: LucideIcon };

const manual: Badge = { label: msg`Manual`, icon: PencilLine };

const badges: Record<Source, Badge> = {
  'apple-watch': { label: msg`Apple Watch`, icon: Watch },
  'google-fit': { label: msg`Google Fit`, icon: HeartPulse },
  strava: { label: msg`Strava`, icon: Route },
  fitbit: { label: msg`Fitbit`, icon: Watch },
  timer: { label: msg`Timer`, icon: Timer },
  manual,
};

const known: ReadonlyMap<string, Badge> = new Map(Object.entries(badges));

/** Where a movement came from; what is not known counts as manual (3). */
export function SourceTag({ source }: { source: string }) {
  const { i18n } = useLingui();
  const { icon: Icon, label } = known.get(source) ?? manual;
  return (
    <Tag>
      <Icon size={14} aria-hidden="true" />
      {i18n._(label)}
    </Tag>
  );
}
