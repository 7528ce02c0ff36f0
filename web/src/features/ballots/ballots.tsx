import type { Ballot } from '@caravan/contracts/http/ballots';
import { useLingui } from '@lingui/react/macro';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { usePages } from '../../lib/pages.ts';
import { BackLink } from '../../ui/back-link.tsx';
import { Button } from '../../ui/button.tsx';
import { Page } from '../../ui/page.tsx';
import { PagedCard } from '../../ui/paged-card.tsx';
import { ballotsPath } from './api.ts';
import { CloseDialog, EditDialog, OpenDialog } from './ballot-dialogs.tsx';
import { BallotRow } from './ballot-row.tsx';
import styles from './ballots.module.css';

const pageSize = 25;
const everything = {};

type Shown = { is: 'open' } | { is: 'edit' | 'close'; ballot: Ballot };

/** Ballots on team names: open, edit, close early, and how many have voted; never who for what (D20). */
export function Ballots() {
  const { t } = useLingui();
  const pages = usePages<Ballot>(ballotsPath, everything, pageSize);
  const [shown, setShown] = useState<Shown | null>(null);
  const close = () => setShown(null);
  const open = (
    <Button onClick={() => setShown({ is: 'open' })}>
      <Plus size={20} aria-hidden="true" />
      {t`Open a ballot`}
    </Button>
  );
  return (
    <Page
      title={t`Ballots`}
      width="text"
      lead={t`Teams choose their names. Everybody votes once, and nobody sees who voted for what.`}
      aside={<BackLink to="/admin" />}
    >
      <PagedCard
        pages={pages}
        action={open}
        label={t`Pages of ballots`}
        failed={t`The ballots could not be loaded`}
        empty={{ title: t`No ballots yet`, hint: t`Let the teams choose what they are called.` }}
        className={styles.rows}
        row={(ballot) => (
          <BallotRow
            key={ballot.id}
            ballot={ballot}
            onEdit={() => setShown({ is: 'edit', ballot })}
            onClose={() => setShown({ is: 'close', ballot })}
          />
        )}
      />
      {shown?.is === 'open' && <OpenDialog ballots={pages.rows ?? []} onClose={close} />}
      {shown?.is === 'edit' && <EditDialog ballot={shown.ballot} onClose={close} />}
      {shown?.is === 'close' && <CloseDialog ballot={shown.ballot} onClose={close} />}
    </Page>
  );
}
