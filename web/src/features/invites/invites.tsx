import type { Invite } from '@caravan/contracts/http/organisations';
import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { usePages } from '../../lib/pages.ts';
import { BackLink } from '../../ui/back-link.tsx';
import { Button } from '../../ui/button.tsx';
import { Page } from '../../ui/page.tsx';
import { PagedCard } from '../../ui/paged-card.tsx';
import { invitesPath, teamsQuery } from './api.ts';
import { InviteForm } from './invite-form.tsx';
import { InviteRow, RevokeDialog } from './invite-row.tsx';
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
      aside={<BackLink to="/admin" />}
    >
      <PagedCard
        pages={pages}
        action={create}
        label={t`Pages of invites`}
        failed={t`The invites could not be loaded`}
        empty={{ title: t`No invites yet`, hint: t`Make one, send the link around, and watch the caravan grow.` }}
        row={(invite) => (
          <InviteRow
            key={invite.id}
            invite={invite}
            team={teams.find(({ id }) => id === invite.teamId)}
            onShare={() => setShown({ is: 'share', invite })}
            onRevoke={() => setShown({ is: 'revoke', invite })}
          />
        )}
      />
      {shown?.is === 'form' && (
        <InviteForm teams={teams} onClose={close} onCreated={(invite) => setShown({ is: 'share', invite })} />
      )}
      {shown?.is === 'share' && <ShareDialog invite={shown.invite} onClose={close} />}
      {shown?.is === 'revoke' && <RevokeDialog invite={shown.invite} onClose={close} />}
    </Page>
  );
}
