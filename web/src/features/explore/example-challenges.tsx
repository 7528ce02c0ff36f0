import { Trans, useLingui } from '@lingui/react/macro';
import { formatPercent } from '../../lib/format.ts';
import { Tag } from '../../ui/chip.tsx';
import { Meter } from '../../ui/meter.tsx';
import styles from './explore.module.css';
import { exampleChallenges } from './workouts.ts';

/** What challenges look like, while the real ones cannot be loaded; marked, so that nobody takes them for theirs. */
export function ExampleChallenges() {
  const { t, i18n } = useLingui();
  return (
    <>
      <p role="status" className={styles.lost}>
        <Trans>No weekly challenges available. This is what they look like:</Trans>
      </p>
      <ul className={styles.list}>
        {exampleChallenges.map(({ id, title, description, share, target }) => {
          const [name, percent, goal] = [i18n._(title), formatPercent(share), i18n._(target)];
          return (
            <li key={id} className={styles.challenge}>
              <div className={styles.challengeHead}>
                <h3>{name}</h3>
                <Tag>{t`Example`}</Tag>
              </div>
              <p>{i18n._(description)}</p>
              <Meter label={name} share={share} valueText={t`${percent} of ${goal}`} />
              <p>{t`${percent} of ${goal}`}</p>
            </li>
          );
        })}
      </ul>
    </>
  );
}
