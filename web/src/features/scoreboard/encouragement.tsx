import type { BoardPeriod } from '@caravan/contracts/http/scores';
import { plural } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import { Timer } from 'lucide-react';
import { useDistance } from '../../lib/units.ts';
import { Button } from '../../ui/button.tsx';
import styles from './encouragement.module.css';
import type { Standing } from './standing.ts';

type Encouraged = { standing: Standing; period: BoardPeriod };

/** How far it is to first place, and what to do about it (2.75). */
export function Encouragement({ standing, period }: { standing: Standing | null; period: BoardPeriod }) {
  const { t } = useLingui();
  return (
    <section className={styles.encouragement} aria-label={t`Keep going`}>
      <p className={styles.main}>
        {standing ? <ToFirst standing={standing} period={period} /> : <NotYet period={period} />}
      </p>
      {period === 'week' && <p className={styles.beside}>{t`Everybody started at zero on Monday.`}</p>}
      <div className={styles.action}>
        <Button asChild isWide>
          <Link to="/timer">
            <Timer size={20} aria-hidden="true" />
            {t`Start the timer`}
          </Link>
        </Button>
      </div>
    </section>
  );
}

const NotYet = ({ period }: { period: BoardPeriod }) =>
  period === 'week' ? (
    <Trans>Ten minutes of anything put you on this week’s board.</Trans>
  ) : (
    <Trans>Ten minutes of anything put you on the board.</Trans>
  );

function ToFirst({ standing, period }: Encouraged) {
  if (standing.milesBehindFirst > 0) return <Behind standing={standing} period={period} />;
  if (standing.sharedWith.length > 0) return <Shared sharedWith={standing.sharedWith} period={period} />;
  if (standing.leadMiles) return <Lead leadMiles={standing.leadMiles} period={period} />;
  return period === 'week' ? <Trans>You are in first place this week.</Trans> : <Trans>You are in first place.</Trans>;
}

/** A single person is named, several are counted. */
function Shared({ sharedWith, period }: Pick<Standing, 'sharedWith'> & Pick<Encouraged, 'period'>) {
  const [other] = sharedWith;
  const count = sharedWith.length;
  const others = count === 1 ? other : plural(count, { other: '# others' });
  if (period === 'week') return <Trans>You share this week’s first place with {others}.</Trans>;
  return <Trans>You share first place with {others}.</Trans>;
}

function Behind({ standing: { milesBehindFirst }, period }: Encouraged) {
  const { figure, long } = useDistance();
  const behind = figure(milesBehindFirst);
  if (period === 'week')
    return (
      <Trans>
        You are{' '}
        <b>
          {behind} {long}
        </b>{' '}
        behind this week’s first place.
      </Trans>
    );
  return (
    <Trans>
      You are{' '}
      <b>
        {behind} {long}
      </b>{' '}
      behind first place.
    </Trans>
  );
}

function Lead({ leadMiles, period }: { leadMiles: number; period: BoardPeriod }) {
  const { figure, long } = useDistance();
  const lead = figure(leadMiles);
  if (period === 'week')
    return (
      <Trans>
        You lead the week by{' '}
        <b>
          {lead} {long}
        </b>
        .
      </Trans>
    );
  return (
    <Trans>
      You lead by{' '}
      <b>
        {lead} {long}
      </b>
      .
    </Trans>
  );
}
