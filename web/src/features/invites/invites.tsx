import type { Invite } from '@caravan/contracts/http/organisations';
import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ArrowLeft, Plus } from 'lucide-react';
import { useState } from 'react';
import { usePages } from '../../lib/pages.ts';
import { Button } from '../../ui/button.tsx';
import { Card, Page } from '../../ui/page.tsx';
import { Pager } from '../../ui/pager.tsx';
import { Loading, Skeleton } from '../../ui/skeleton.tsx';
import { EmptyState, ErrorState } from '../../ui/states.tsx';
import { invitesPath, teamsQuery } from './api.ts';
import { InviteForm } from './invite-form.tsx';
import { InviteRow, RevokeDialog } from './invite-row.tsx';
import styles from './invites.module.css';
import { ShareDialog } from './share-dialog.tsx';

const pageSize = 25;
const everything = {};

type Shown = { is: 'form' } | { is: 'share' | 'revoke'; invite: Invite };

/** Links and codes with which people join this organisation (D1). */
export function Invites() {
  const { t } = useLingui();
  const pages = usePages<Invite>(invitesPath, everything, pageSize);
  const teams = useQuery(teamsQuery).data ?? [];
  const [shown, setShown] = useState<Shown | null>(null);
  const close = () => setShown(null);
  const create = (
    <Button onClick={() => setShown({ is: 'form' })}>
      <Plus size={20} aria-hidden="true" />
      {t`New invite`}
    </Button>
  );
  return (
    <Page
      title={t`Invites`}
      width="text"
      lead={t`Whoever has the link or the code joins as a member.`}
      aside={
        <Button asChild variant="quiet" size="small">
          <Link to="/admin">
            <ArrowLeft size={18} aria-hidden="true" />
            {t`Back`}
          </Link>
        </Button>
      }
    >
      {pages.rows && pages.rows.length > 0 && <div className={styles.create}>{create}</div>}
      <Loading isLoading={pages.isPending} skeleton={<ListSkeleton />}>
        {() => (
          <Card>
            {pages.rows?.length === 0 && (
              <EmptyState
                title={t`No invites yet`}
                hint={t`Make one, send the link around, and watch the caravan grow.`}
                action={create}
              />
            )}
            {!pages.rows && (
              <ErrorState
                title={t`The invites could not be loaded`}
                hint={t`Please try again later.`}
                onRetry={() => void pages.refetch()}
              />
            )}
            <ul className={styles.rows}>
              {pages.rows?.map((invite) => (
                <InviteRow
                  key={invite.id}
                  invite={invite}
                  team={teams.find(({ id }) => id === invite.teamId)}
                  onShare={() => setShown({ is: 'share', invite })}
                  onRevoke={() => setShown({ is: 'revoke', invite })}
                />
              ))}
            </ul>
          </Card>
        )}
      </Loading>
      <Pager label={t`Pages of invites`} count={pages.rows?.length ?? 0} {...pages} />
      {shown?.is === 'form' && (
        <InviteForm teams={teams} onClose={close} onCreated={(invite) => setShown({ is: 'share', invite })} />
      )}
      {shown?.is === 'share' && <ShareDialog invite={shown.invite} onClose={close} />}
      {shown?.is === 'revoke' && <RevokeDialog invite={shown.invite} onClose={close} />}
    </Page>
  );
}

const ListSkeleton = () => (
  <Card className={styles.waiting}>
    {['52%', '44%', '60%'].map((width) => (
      <div key={width}>
        <Skeleton width={width} height={20} />
        <Skeleton width={220} height={14} />
      </div>
    ))}
  </Card>
);
