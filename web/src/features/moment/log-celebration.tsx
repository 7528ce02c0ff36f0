import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { Flag, Flame, MapPin } from 'lucide-react';
import type { CSSProperties } from 'react';
import { dashboardStatsQuery } from '../../lib/dashboard-stats.ts';
import { formatCount } from '../../lib/format.ts';
import { meQuery } from '../../lib/me.ts';
import type { Moment } from '../../lib/moment.ts';
import { ownDaysQuery } from '../../lib/own-days.ts';
import { useDistance } from '../../lib/units.ts';
import { weeklyGoalMiles } from '../../lib/weekly-goal.ts';
import { Button } from '../../ui/button.tsx';
import { seededRandom } from '../../ui/scene/seeded-random.ts';
import { SevenDays } from '../../ui/scene/seven-days.tsx';
import { stonesOf } from '../../ui/scene/stones.ts';
import { Hidden } from '../../ui/text.tsx';
import { reachesGoal } from './facts.ts';

import styles from './moment.module.css';
import { type MomentParts, NewBadges } from './new-badges.tsx';
import { ShareButton } from './share-button.tsx';

/** The celebration of an ordinary log: miles, the day's stone, new badges, and the team's pin moving on. */
export function LogCelebration({ moment, parts, onEnd }: { moment: Moment; parts: MomentParts; onEnd: () => void }) {
  const { t } = useLingui();
  const { figure, long } = useDistance();
  const days = useQuery(ownDaysQuery).data;
  const earned = figure(moment.miles);
  return (
    <>
      <span className={styles.beams} aria-hidden="true" />
      <Sparks />
      <Button variant="glass" size="small" className={styles.skip} onClick={onEnd}>
        {t`Skip`}
      </Button>
      <div className={styles.inside}>
        <div>
          <p className={styles.title}>{moment.title}</p>
          <h2 className={styles.miles}>
            <Hidden>{`+${earned} ${long}`}</Hidden>
            <Odometer text={`+${earned}`} />
            <small aria-hidden="true">{long}</small>
          </h2>
          <p className={styles.sentence}>{moment.sentence}</p>
          <Facts miles={moment.miles} stop={parts.stop} />
          <NewBadges parts={parts} />
        </div>
        <div>
          {days && days.today !== '' && <SevenDays stones={stonesOf(days)} grown={moment.on} className={styles.week} />}
        </div>
      </div>
      <div className={styles.road}>{parts.road(moment.miles)}</div>
      <div className={styles.go}>
        <Button variant="white" onClick={onEnd}>
          {t`Continue`}
        </Button>
      </div>
      <ShareButton moment={moment} />
    </>
  );
}

type DigitStyle = CSSProperties & Record<'--digit', string>;

/** Figures that roll to their place, as a counter of miles does; read aloud by the heading's own text. */
function Odometer({ text }: { text: string }) {
  return (
    <span className={styles.odometer} aria-hidden="true">
      {[...text].map((character, nth) => {
        const style: DigitStyle = { '--digit': character };
        return /\d/.test(character) ? <i key={nth} style={style} /> : character;
      })}
    </span>
  );
}

function Facts({ miles, stop }: { miles: number; stop: string | null }) {
  const { t } = useLingui();
  const { data: me } = useQuery(meQuery);
  const { data: stats } = useQuery(dashboardStatsQuery);
  const day = me?.streakState === 'lit' ? formatCount(me.streakCount) : null;
  const isGoal = stats !== undefined && stats !== null && reachesGoal(stats.weeklyMiles, weeklyGoalMiles, miles);
  if (day === null && !isGoal && stop === null) return null;
  return (
    <ul className={styles.facts}>
      {day !== null && (
        <li>
          <Flame size={20} aria-hidden="true" />
          {t`Day ${day}`}
        </li>
      )}
      {isGoal && (
        <li>
          <Flag size={20} aria-hidden="true" />
          {t`Weekly goal reached`}
        </li>
      )}
      {stop !== null && (
        <li>
          <MapPin size={20} aria-hidden="true" />
          {t`${stop} reached`}
        </li>
      )}
    </ul>
  );
}

type SparkStyle = CSSProperties & Record<'--turn' | '--nth', string>;

const random = seededRandom(4);
const sparks = Array.from({ length: 22 }, (_, nth): SparkStyle => ({
  left: `${(random() * 100).toFixed(1)}%`,
  top: `${(random() * 46).toFixed(1)}%`,
  '--turn': `${Math.round(random() * 180)}deg`,
  '--nth': String(nth),
}));

/** One burst around the sun; not drawn where motion is not wanted. */
const Sparks = () => (
  <span className={styles.sparks} aria-hidden="true">
    {sparks.map((style) => (
      <i key={style['--nth']} style={style} />
    ))}
  </span>
);
