import type { BoardPeriod, Leaderboard } from '@caravan/contracts/http/scores';
import { Trans, useLingui } from '@lingui/react/macro';
import { type ReactNode, useRef } from 'react';
import { formatCount } from '../../lib/format.ts';
import { useDistance } from '../../lib/units.ts';
import { Chase } from '../../ui/charts/chase.tsx';
import { Card } from '../../ui/page.tsx';
import { PinnedLine } from '../../ui/pinned-line.tsx';
import { Hidden, Rolling } from '../../ui/text.tsx';
import { Gap, GapSentence } from './gap.tsx';
import styles from './own-position.module.css';
import { type Neighbour, rankedMiles } from './standing.ts';

type Own = Pick<Leaderboard['users'][number], 'totalMiles' | 'weeklyMiles'>;

type Position = {
  /** Stands before the miles; the board of members needs none. */
  name?: string;
  period: BoardPeriod;
  rank: number | null;
  own: Own | null;
  neighbours: { above: Neighbour[]; below: Neighbour[] };
  /** Whom to draw on the road. @param id null: oneself */
  faceOf: (id: string | null) => ReactNode;
  ownWord: string;
  /** Stands at the end of the title's line. */
  aside?: ReactNode;
  /** Below, behind a hairline. */
  children?: ReactNode;
};

/** Where one stands and whom one can reach next; a line of it stays in sight where the card has scrolled away. */
export function OwnPosition({ name, period, rank, own, neighbours, faceOf, ownWord, aside, children }: Position) {
  const { t } = useLingui();
  const { figure, long } = useDistance();
  const card = useRef<HTMLDivElement>(null);
  const title = period === 'week' ? t`Your position this week` : t`Your position`;
  const place = rank === null ? '--' : `#${formatCount(rank)}`;
  const next = neighbours.above.at(-1) ?? neighbours.below[0];
  return (
    <div ref={card} className={styles.position}>
      <Card title={title} aside={aside} className={styles.card}>
        <p className={styles.rank}>
          <b>{place}</b>
          <span>
            {name !== undefined && <bdi className={styles.name}>{name}</bdi>}
            <span className={styles.miles}>
              <Rolling value={own ? rankedMiles(own, period) : 0} format={figure} /> {long}
            </span>
            <small>
              <Beside own={own} period={period} />
            </small>
          </span>
        </p>
        {next && <GapSentence neighbour={next} />}
        {next && (
          <Chase
            runners={[
              ...neighbours.below.toReversed().map((other) => runnerOf(other, faceOf, figure)),
              { id: 'own', face: faceOf(null), milesAhead: 0, label: ownWord, isOwn: true },
              ...neighbours.above.toReversed().map((other) => runnerOf(other, faceOf, figure)),
            ]}
          />
        )}
        <Neighbours neighbours={[...neighbours.above, ...neighbours.below]} />
        {children}
      </Card>
      <PinnedLine label={title} card={card}>
        <b>{place}</b> {next ? <Gap neighbour={next} /> : name}
      </PinnedLine>
    </div>
  );
}

function runnerOf(
  { id, milesAhead }: Neighbour,
  faceOf: Position['faceOf'],
  figure: (miles: number) => string,
): { id: string; face: ReactNode; milesAhead: number; label: string; isOwn: boolean } {
  const sign = milesAhead < 0 ? '−' : '+';
  const label = milesAhead === 0 ? '=' : `${sign}${figure(Math.abs(milesAhead))}`;
  return { id, face: faceOf(id), milesAhead, label, isOwn: false };
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

/** The road in words. */
function Neighbours({ neighbours }: { neighbours: Neighbour[] }) {
  const { t } = useLingui();
  if (neighbours.length === 0) return null;
  return (
    <Hidden>
      <ul>
        {neighbours.map((neighbour) => (
          <li key={neighbour.id}>
            {t`Rank`} {neighbour.rank === null ? '--' : formatCount(neighbour.rank)}
            <Gap neighbour={neighbour} />
          </li>
        ))}
      </ul>
    </Hidden>
  );
}
