import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import { Play } from 'lucide-react';
import type { ReactNode } from 'react';
import { formatCount, formatPercent } from '../../lib/format.ts';
import { useDistance } from '../../lib/units.ts';
import { drawingOfActivity } from '../../ui/activity-drawings.ts';
import { Button, Tag } from '../../ui/button.tsx';
import { Draw } from '../../ui/drawing.tsx';
import { Meter } from '../../ui/meter.tsx';
import { Card, Page } from '../../ui/page.tsx';
import styles from './explore.module.css';
import { difficulties, exampleChallenges, quickWorkouts, tips, type Workout } from './workouts.ts';

/** Ideas for the next ten minutes. */
export function Explore({ challenges }: { challenges: ReactNode }) {
  const { t, i18n } = useLingui();
  return (
    <Page title={t`Explore`} lead={t`Something for the next ten minutes`}>
      <div className={styles.parts}>
        <Card title={t`Quick workouts`}>
          <ul className={styles.list}>
            {quickWorkouts.map((workout) => (
              <WorkoutRow key={workout.id} workout={workout} />
            ))}
          </ul>
        </Card>
        <div className={styles.challenges}>{challenges}</div>
        <Card title={t`Tips`}>
          <ul className={styles.tips}>
            {tips.map(({ id, title, text }) => (
              <li key={id}>
                <h3>{i18n._(title)}</h3>
                <p>{i18n._(text)}</p>
              </li>
            ))}
          </ul>
        </Card>
      </div>
    </Page>
  );
}

function WorkoutRow({ workout }: { workout: Workout }) {
  const { t, i18n } = useLingui();
  const { units, brief } = useDistance();
  const title = i18n._(workout.title);
  const drawing = drawingOfActivity(workout.activity);
  const minutes = formatCount(workout.durationMinutes);
  const miles = brief(workout.miles);
  return (
    <li className={styles.workout}>
      <span className={styles.sign}>{drawing && <Draw drawing={drawing} size={30} />}</span>
      <div className={styles.idea}>
        <h3>{title}</h3>
        <p>{i18n._(workout.description)}</p>
        <p className={styles.facts}>
          <Tag>
            <Trans>{minutes} min</Trans>
          </Tag>
          <Tag>
            {units === 'metric' ? (
              <Trans>{miles} km</Trans>
            ) : (
              <Plural value={workout.miles} one={`${miles} mile`} other={`${miles} miles`} />
            )}
          </Tag>
          <Tag>{i18n._(difficulties[workout.difficulty])}</Tag>
        </p>
      </div>
      <Button asChild size="small" variant="quiet">
        <Link
          to="/timer"
          search={{ preset: 'true', duration: String(workout.durationMinutes), activity: workout.activity }}
          aria-label={t`Start ${title}`}
        >
          <Play size={18} aria-hidden="true" />
          {t`Start`}
        </Link>
      </Button>
    </li>
  );
}

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
          const name = i18n._(title);
          const percent = formatPercent(share);
          const goal = i18n._(target);
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
