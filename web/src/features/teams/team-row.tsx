import type { ManagedTeam } from '@caravan/contracts/http/organisations';
import { Plural, useLingui } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import { Pencil } from 'lucide-react';
import { formatCount } from '../../lib/format.ts';
import { serverMessage } from '../../lib/http-error.ts';
import { Button } from '../../ui/button.tsx';
import { toast } from '../../ui/toast-state.ts';
import { useChangeTeam } from './api.ts';
import styles from './teams.module.css';

export function TeamRow({ team, onEdit }: { team: ManagedTeam; onEdit: () => void }) {
  const { t } = useLingui();
  const { isPending, toggle } = useRetiring(team);
  const count = formatCount(team.memberCount);
  const members = <Plural value={team.memberCount} one={`${count} member`} other={`${count} members`} />;
  return (
    <li className={styles.row}>
      <span className={styles.emblem} aria-hidden="true">
        {team.emoji}
      </span>
      <div className={styles.who}>
        <b>{team.name}</b>
        {team.memberCount > 0 ? (
          <Link to="/admin/members" search={{ teamId: team.id }}>
            {members}
          </Link>
        ) : (
          <p>{members}</p>
        )}
      </div>
      <div className={styles.acts}>
        <Button variant="plain" size="small" aria-label={t`Edit ${team.name}`} onClick={onEdit}>
          <Pencil size={18} aria-hidden="true" />
          <span className={styles.word}>{t`Edit`}</span>
        </Button>
        <Button
          variant="quiet"
          size="small"
          aria-label={team.retired ? t`Reopen ${team.name}` : t`Retire ${team.name}`}
          isBusy={isPending}
          onClick={toggle}
        >
          {team.retired ? t`Reopen` : t`Retire`}
        </Button>
      </div>
    </li>
  );
}

/** Retires at once, with a way to take it back; what the server refuses it explains. */
function useRetiring({ id, name, retired }: ManagedTeam) {
  const { t } = useLingui();
  const change = useChangeTeam();
  const become = (isRetired: boolean, mayUndo: boolean) =>
    change.mutate(
      { id, retired: isRetired },
      {
        onSuccess: () =>
          toast({
            title: isRetired ? t`${name} is retired` : t`${name} is on the way again`,
            ...(mayUndo && { action: { label: t`Undo`, onPress: () => become(!isRetired, false) } }),
          }),
        onError: (error) =>
          toast({
            title: isRetired ? t`${name} was not retired` : t`${name} was not reopened`,
            description: serverMessage(error, t`Please try again later.`),
            tone: 'error',
          }),
      },
    );
  return { isPending: change.isPending, toggle: () => become(!retired, true) };
}
