import type { BoardPeriod, Leaderboard } from '@caravan/contracts/http/scores';
import { Trans, useLingui } from '@lingui/react/macro';
import { useRef } from 'react';
import { formatCount } from '../../lib/format.ts';
import { useDistance } from '../../lib/units.ts';
import { Card } from '../../ui/page.tsx';
import { PinnedLine } from '../../ui/pinned-line.tsx';
import { Hidden, Rolling } from '../../ui/text.tsx';
import styles from './own-position.module.css';
import { type Neighbour, rankedMiles } from './standing.ts';

type Own = Pick<Leaderboard['users'][number], 'totalMiles' | 'weeklyMiles'>;

type Position = {
  name: string;
  period: BoardPeriod;
  rank: number | null;
  own: Own | null;
  neighbours: { above: Neighbour[]; below: Neighbour[] };
};

/** Where one stands oneself and who is next to one; a line of it stays in sight where the card has scrolled away. */
export function OwnPosition({ name, period, rank, own, neighbours: { above, below } }: Position) {
  const { t } = useLingui();
  const { figure, long } = useDistance();
  const card = useRef<HTMLDivElement>(null);
  const title = period === 'week' ? t`Your position this week` : t`Your position`;
  const place = rank === null ? '--' : `#${formatCount(rank)}`;
  const next = above.at(-1) ?? below[0];
  return (
    <div ref={card}>
      <Card title={title} tone="brand">
        <Neighbours neighbours={above} />
        <div className={styles.line}>
          <b className={styles.rank}>{place}</b>
          <div className={styles.who}>
            <b>
              <bdi>{name}</bdi>
            </b>
            <p>
              <Beside own={own} period={period} />
            </p>
          </div>
          <span className={styles.miles}>
            <b>
              <Rolling value={own ? rankedMiles(own, period) : 0} format={figure} />
            </b>{' '}
            {long}
          </span>
        </div>
        <Neighbours neighbours={below} />
      </Card>
      <PinnedLine label={title} card={card}>
        <b>{place}</b> {next ? <Gap neighbour={next} /> : name}
      </PinnedLine>
    </div>
  );
}

/** The miles that the board does not rank by. */
function Beside({ own, period }: { own: Own | null; period: BoardPeriod }) {
  const { figure, long } = useDistance();
  if (!own) return period === 'week' ? <Trans>no miles yet this week</Trans> : <Trans>no miles yet</Trans>;
  const total = figure(own.totalMiles);
  const weekly = figure(own.weeklyMiles);
  if (period === 'week')
    return (
      <Trans>
        {total} {long} in all
      </Trans>
    );
  return (
    <Trans>
      {weekly} {long} this week
    </Trans>
  );
}

function Neighbours({ neighbours }: { neighbours: Neighbour[] }) {
  const { t } = useLingui();
  if (neighbours.length === 0) return null;
  return (
    <ul className={styles.neighbours}>
      {neighbours.map((neighbour) => (
        <li key={neighbour.id}>
          <span className={styles.place}>
            <Hidden>{t`Rank`} </Hidden>
            {neighbour.rank === null ? '--' : formatCount(neighbour.rank)}
          </span>
          <span className={styles.gap}>
            <Gap neighbour={neighbour} />
          </span>
        </li>
      ))}
    </ul>
  );
}

/** '0.8 mi behind Maya'. */
function Gap({ neighbour: { name, milesAhead } }: { neighbour: Neighbour }) {
  const { figure, exactly, short } = useDistance();
  const miles = Math.abs(milesAhead);
  // A hundredth must not read as nothing.
  const distance = miles < 0.05 ? exactly(miles) : figure(miles);
  if (milesAhead === 0) return <Trans>Level with {name}</Trans>;
  if (milesAhead > 0)
    return (
      <Trans>
        {distance} {short} behind {name}
      </Trans>
    );
  return (
    <Trans>
      {distance} {short} ahead of {name}
    </Trans>
  );
}
