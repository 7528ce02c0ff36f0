import type { ManagedTeam } from '@caravan/contracts/http/organisations';
import { Plural, useLingui } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import { PencilLine } from 'lucide-react';
import { type SyntheticEvent, useState } from 'react';
import { formatCount } from '../../lib/format.ts';
import { serverMessage } from '../../lib/http-error.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { toast } from '../../ui/toast-state.ts';
import { useChangeTeam, useFormTeam } from './api.ts';
import { emblems, emblemsWith } from './emblems.ts';
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
        <b>
          <bdi>{team.name}</bdi>
        </b>
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
          <PencilLine size={18} aria-hidden="true" />
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

const longestName = 40;

/** Forms a team, or gives one another name and emblem. @param team null: a new one */
export function TeamDialog({ team, onClose }: { team: ManagedTeam | null; onClose: () => void }) {
  const { t } = useLingui();
  const [name, setName] = useState(team?.name ?? '');
  const [emoji, setEmoji] = useState<string>(team?.emoji ?? emblems[0]);
  const [refusal, setRefusal] = useState<string>();
  const form = useFormTeam();
  const change = useChangeTeam();
  // The team of an earlier attempt, whose answer had been lost while the form was changed.
  const [formed, setFormed] = useState<ManagedTeam>();
  const finish = (title: string) => {
    toast({ title, tone: 'good' });
    onClose();
  };
  const onError = (error: Error) => setRefusal(serverMessage(error, t`That did not work. Please try again later.`));
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    if (name.trim() === '') return setRefusal(t`Team name is required`);
    const body = { name: name.trim(), emoji };
    if (team) return change.mutate({ id: team.id, ...body }, { onSuccess: () => finish(t`${name} is saved`), onError });
    setFormed(undefined);
    form.mutate(body, {
      onSuccess: ({ answer, isEarlier }) => (isEarlier ? setFormed(answer) : finish(t`${answer.name} is on the way`)),
      onError,
    });
  };
  const another = formed ? t`Form this team as well` : t`Form the team`;
  const action = team ? t`Save` : another;
  return (
    <Dialog isOpen title={team ? t`Edit team` : t`New team`} onOpenChange={(isOpen) => isOpen || onClose()}>
      <form className={styles.form} onSubmit={submit} noValidate>
        <TextField
          label={t`Name`}
          maxLength={longestName}
          autoComplete="off"
          value={name}
          error={refusal}
          onChange={({ target }) => {
            setName(target.value);
            setRefusal(undefined);
          }}
        />
        <fieldset className={styles.emblems}>
          <legend>{t`Emblem`}</legend>
          {emblemsWith(team?.emoji).map((emblem) => (
            <label key={emblem}>
              <input type="radio" name="emblem" checked={emblem === emoji} onChange={() => setEmoji(emblem)} />
              {emblem}
            </label>
          ))}
        </fieldset>
        {formed && (
          <p role="alert">{t`Your first try was saved: ${formed.name} stands in the list. What is typed here is not saved.`}</p>
        )}
        <Button type="submit" isWide isBusy={form.isPending || change.isPending}>
          {action}
        </Button>
        {formed && <Button variant="plain" isWide onClick={onClose}>{t`Leave it as it is`}</Button>}
      </form>
    </Dialog>
  );
}
