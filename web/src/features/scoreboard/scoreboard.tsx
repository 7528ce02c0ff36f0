import type { BoardPeriod } from '@caravan/contracts/http/scores';
import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { meQuery } from '../../lib/me.ts';
import { Card, Page } from '../../ui/page.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { Loading } from '../../ui/skeleton.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { leaderboardQuery } from './api.ts';
import { BoardSkeleton } from './board.tsx';
import { Individuals } from './individuals.tsx';
import styles from './scoreboard.module.css';
import { Teams } from './teams.tsx';

type Tab = 'individual' | 'teams';

/** Who has come how far, of all miles or this week: members and teams. */
export function Scoreboard({ period, onPeriod }: { period: BoardPeriod; onPeriod: (period: BoardPeriod) => void }) {
  const { t } = useLingui();
  const [tab, setTab] = useState<Tab>('individual');
  const me = useQuery(meQuery);
  const board = useQuery(leaderboardQuery(period));
  return (
    <Page
      title={t`Scoreboard`}
      aside={
        <div className={styles.period}>
          <Segmented
            label={t`Ranked by`}
            value={period}
            onChange={onPeriod}
            options={[
              { value: 'all', label: t`All time` },
              { value: 'week', label: t`This week` },
            ]}
          />
        </div>
      }
    >
      <Tabs
        label={t`Scoreboard`}
        value={tab}
        onChange={setTab}
        tabs={[
          { value: 'individual', label: t`Individual` },
          { value: 'teams', label: t`Teams` },
        ]}
      >
        <Loading isLoading={!board.isError && !(me.data && board.data)} skeleton={<BoardSkeleton />}>
          {() => {
            if (!me.data || !board.data)
              return (
                <Card>
                  <ErrorState
                    title={t`The scoreboard could not be loaded`}
                    hint={t`Please try again later.`}
                    onRetry={() => void board.refetch()}
                  />
                </Card>
              );
            return tab === 'individual' ? (
              <Individuals board={board.data} me={me.data} period={period} />
            ) : (
              <Teams board={board.data} ownTeamId={me.data.team.id} period={period} />
            );
          }}
        </Loading>
      </Tabs>
    </Page>
  );
}
