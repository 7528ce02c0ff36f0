import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Card } from '../../ui/page.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { EmptyState, ErrorState } from '../../ui/states.tsx';
import { weeklyChallengesQuery } from './api.ts';
import { ChallengeRow } from './challenge-row.tsx';
import styles from './weekly-challenges.module.css';

const expectedRows = ['a', 'b', 'c'];

/** The week's challenges, how far one is in each, and the bonus miles of those that are reached. */
export function WeeklyChallenges({
  whenLost,
}: {
  /** Stands in when the list cannot be loaded. */ whenLost?: ReactNode;
}) {
  const { t } = useLingui();
  const { data: challenges, isError, refetch } = useQuery(weeklyChallengesQuery);
  return (
    <Card
      title={t`Weekly Challenges`}
      anchor="weekly-challenges"
      aside={challenges && challenges.length > 0 && t`until Sunday`}
    >
      {isError && whenLost}
      {isError && !whenLost && (
        <ErrorState
          title={t`No weekly challenges available`}
          hint={t`Please try again later.`}
          onRetry={() => void refetch()}
        />
      )}
      {!isError && !challenges && (
        <div className={styles.loading} aria-busy="true">
          {expectedRows.map((key) => (
            <Skeleton key={key} height={92} />
          ))}
        </div>
      )}
      {challenges?.length === 0 && (
        <EmptyState title={t`No active challenges this week. Check back soon for new challenges!`} />
      )}
      {challenges && challenges.length > 0 && (
        <ul className={styles.list}>
          {challenges.map((challenge) => (
            <ChallengeRow key={challenge.id} challenge={challenge} />
          ))}
        </ul>
      )}
    </Card>
  );
}
