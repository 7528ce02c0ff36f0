import type { UserProfile } from '@caravan/contracts/http/people';
import { Trans, useLingui } from '@lingui/react/macro';
import { EyeOff } from 'lucide-react';
import { formatCount } from '../../lib/format.ts';
import { useDistance } from '../../lib/units.ts';
import { Card } from '../../ui/card.tsx';
import { Rolling } from '../../ui/rolling.tsx';
import styles from './people.module.css';

/** Total miles and streak, or a friendly word where their owner hides them (D18). */
export function Figures({
  user: { name, totalMiles, streakCount },
}: {
  user: Pick<UserProfile, 'name' | 'totalMiles' | 'streakCount'>;
}) {
  const { t } = useLingui();
  const { units, figure } = useDistance();
  const [first = name] = name.split(' ');
  if (totalMiles === null || streakCount === null)
    return (
      <Card className={styles.hidden}>
        <EyeOff size={22} aria-hidden="true" />
        <p>
          <b>
            <Trans>{first} keeps their numbers private.</Trans>
          </b>{' '}
          <Trans>Their miles still carry the team.</Trans>
        </p>
      </Card>
    );
  return (
    <dl className={styles.figures}>
      <div>
        <dt>{units === 'metric' ? t`Total km` : t`Total miles`}</dt>
        <dd>
          <Rolling value={totalMiles} format={figure} />
        </dd>
      </div>
      <div>
        <dt>{t`Streak days`}</dt>
        <dd>{formatCount(streakCount)}</dd>
      </div>
    </dl>
  );
}
