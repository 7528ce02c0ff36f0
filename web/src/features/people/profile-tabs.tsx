import type { Me } from '@caravan/contracts/http/accounts';
import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { dashboardStatsQuery } from '../../lib/dashboard-stats.ts';
import { useDistance } from '../../lib/units.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/page.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { Trail } from '../../ui/trail.tsx';
import styles from './people.module.css';
import { OwnPhotos } from './photos.tsx';

type Tab = 'feed' | 'photos' | 'badges' | 'teams';

/** What one did, showed, earned, and with whom (2.107). */
export function ProfileTabs({ me, feed, badges }: { me: Me; feed: ReactNode; badges: ReactNode }) {
  const { t } = useLingui();
  const [tab, setTab] = useState<Tab>('feed');
  return (
    <Tabs
      label={t`Profile`}
      value={tab}
      onChange={setTab}
      tabs={[
        { value: 'feed', label: t`Feed` },
        { value: 'photos', label: t`Photos` },
        { value: 'badges', label: t`Badges` },
        { value: 'teams', label: t`Teams` },
      ]}
    >
      {tab === 'feed' && feed}
      {tab === 'photos' && <OwnPhotos id={me.id} />}
      {tab === 'badges' && badges}
      {tab === 'teams' && <Team team={me.team} />}
    </Tabs>
  );
}

function Team({ team }: { team: Me['team'] }) {
  const { t } = useLingui();
  const { figure, brief, long } = useDistance();
  const { data: stats } = useQuery(dashboardStatsQuery);
  const progress = stats?.teamProgress.find(({ id }) => id === team.id);
  const miles = figure(progress?.miles ?? 0);
  const goal = brief(progress?.goalMiles ?? 0);
  const share = progress && progress.goalMiles > 0 ? progress.miles / progress.goalMiles : 0;
  return (
    <Card title={`${team.emoji} ${team.name}`} aside={t`your team`}>
      {progress && (
        <div className={styles.trail}>
          <Trail label={team.name} share={share} valueText={t`${miles} of ${goal} ${long}`} traveller={team.emoji} />
          <p>
            <Trans>
              <b>{miles}</b> of {goal} {long} this week
            </Trans>
          </p>
        </div>
      )}
      <Button asChild variant="quiet" size="small">
        <Link to="/leaderboard">{t`To the scoreboard`}</Link>
      </Button>
    </Card>
  );
}
