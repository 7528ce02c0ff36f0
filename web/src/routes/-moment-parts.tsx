import type { EarnedBadge } from '@caravan/contracts/http/badges';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { earnedBadgesQuery } from '../features/badges/api.ts';
import { keyOfEarned, untold } from '../features/badges/badges.ts';
import { Emblem } from '../features/badges/emblem.tsx';
import { journeyQuery } from '../features/journey/api.ts';
import { GainedRoad } from '../features/journey/team-road.tsx';
import { passedStop } from '../features/moment/facts.ts';
import { MomentDialog } from '../features/moment/moment.tsx';
import { meQuery } from '../lib/me.ts';
import type { Moment } from '../lib/moment.ts';
import { noteTold, toldBadges } from '../lib/told-badges.ts';

const emblemSize = 64;

/** The moment after a log, put together of what several features show there. */
export function MomentParts({ moment, onEnd }: { moment: Moment; onEnd: () => void }) {
  const { data: journey } = useQuery(journeyQuery);
  const { data: me } = useQuery(meQuery);
  const own = journey?.teams.find(({ id }) => id === me?.team.id);
  const parts = {
    road: (miles: number) => <GainedRoad miles={miles} />,
    stop: journey && own ? passedStop(journey.route.checkpoints, own.miles, moment.miles) : null,
    badges: useBadgesSince(moment.at),
    emblem: (badge: EarnedBadge) => <Emblem badge={badge} size={emblemSize} />,
  };
  return <MomentDialog moment={moment} parts={parts} onEnd={onEnd} />;
}

/** A server's clock may be behind this device's by so much. */
const clockMilliseconds = 60_000;

/** Badges of this log that nobody was told of yet. Shown here, each is told of: its notice does not come again. */
function useBadgesSince(at: number): readonly EarnedBadge[] {
  const { data: earned } = useQuery(earnedBadgesQuery);
  const [before] = useState(toldBadges);
  const recent = (earned ?? []).filter(({ dateEarned }) => Date.parse(dateEarned) > at - clockMilliseconds);
  const badges = untold(recent, before, at);
  useEffect(() => {
    for (const badge of badges) noteTold(keyOfEarned(badge));
  });
  return badges;
}
