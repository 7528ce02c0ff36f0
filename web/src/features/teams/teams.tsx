import type { ManagedTeam } from '@caravan/contracts/http/organisations';
import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { BackLink } from '../../ui/back-link.tsx';
import { Button } from '../../ui/button.tsx';
import { Card, Page, Stack } from '../../ui/page.tsx';
import { Loading, Skeleton } from '../../ui/skeleton.tsx';
import { EmptyState, ErrorState } from '../../ui/states.tsx';
import { teamsQuery } from './api.ts';
import { TeamDialog, TeamRow } from './team-row.tsx';
import styles from './teams.module.css';

/** All teams of the organisation: form, rename, retire, reopen (D2). */
export function Teams() {
  const { t } = useLingui();
  const teams = useQuery(teamsQuery);
  // The team that is edited; 'new' for one that is not there yet.
  const [edited, setEdited] = useState<ManagedTeam | 'new' | null>(null);
  return (
    <Page
      title={t`Teams`}
      width="text"
      lead={t`Newcomers join the smallest. Miles stay with the team they were earned for.`}
      aside={<BackLink to="/admin" />}
    >
      <Loading isLoading={teams.isPending} skeleton={<ListSkeleton />}>
        {() =>
          teams.data ? (
            <Lists teams={teams.data} onEdit={setEdited} />
          ) : (
            <Card>
              <ErrorState
                title={t`The teams could not be loaded`}
                hint={t`Please try again later.`}
                onRetry={() => void teams.refetch()}
              />
            </Card>
          )
        }
      </Loading>
      {edited && <TeamDialog team={edited === 'new' ? null : edited} onClose={() => setEdited(null)} />}
    </Page>
  );
}

function Lists({ teams, onEdit }: { teams: readonly ManagedTeam[]; onEdit: (team: ManagedTeam | 'new') => void }) {
  const { t } = useLingui();
  const open = teams.filter((team) => !team.retired);
  const retired = teams.filter((team) => team.retired);
  const rows = (some: readonly ManagedTeam[]) => (
    <ul className={styles.rows}>
      {some.map((team) => (
        <TeamRow key={team.id} team={team} onEdit={() => onEdit(team)} />
      ))}
    </ul>
  );
  return (
    <Stack>
      <Card
        title={t`On the way`}
        aside={
          <Button variant="quiet" size="small" onClick={() => onEdit('new')}>
            <Plus size={18} aria-hidden="true" />
            {t`New team`}
          </Button>
        }
        className={styles.card}
      >
        {open.length > 0 ? rows(open) : <EmptyState title={t`No team yet`} hint={t`Form the first one.`} />}
      </Card>
      {retired.length > 0 && (
        <Card title={t`Retired`} className={styles.card}>
          {rows(retired)}
        </Card>
      )}
    </Stack>
  );
}

const ListSkeleton = () => (
  <Card className={styles.card}>
    <Skeleton width={120} height={20} />
    {['66%', '50%', '58%'].map((width) => (
      <div key={width} className={styles.waiting}>
        <Skeleton width={44} height={44} isRound />
        <Skeleton width={width} height={20} />
      </div>
    ))}
  </Card>
);
