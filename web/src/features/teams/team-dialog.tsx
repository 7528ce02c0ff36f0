import type { ManagedTeam } from '@caravan/contracts/http/organisations';
import { useLingui } from '@lingui/react/macro';
import { useState, type SyntheticEvent } from 'react';
import { serverMessage } from '../../lib/http-error.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { toast } from '../../ui/toast-state.ts';
import { useChangeTeam, useFormTeam } from './api.ts';
import { emblems, emblemsWith } from './emblems.ts';
import styles from './teams.module.css';

const longestName = 40;

/** Forms a team, or gives one another name and emblem. @param team null: a new one */
export function TeamDialog({ team, onClose }: { team: ManagedTeam | null; onClose: () => void }) {
  const { t } = useLingui();
  const [name, setName] = useState(team?.name ?? '');
  const [emoji, setEmoji] = useState<string>(team?.emoji ?? emblems[0]);
  const [refusal, setRefusal] = useState<string>();
  const [form, change] = [useFormTeam(), useChangeTeam()];
  const outcome = {
    onSuccess: () => {
      toast({ title: team ? t`${name} is saved` : t`${name} is on the way`, tone: 'good' as const });
      onClose();
    },
    onError: (error: Error) => setRefusal(serverMessage(error, t`That did not work. Please try again later.`)),
  };
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    if (name.trim() === '') return setRefusal(t`Team name is required`);
    const body = { name: name.trim(), emoji };
    if (team) change.mutate({ id: team.id, ...body }, outcome);
    else form.mutate(body, outcome);
  };
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
        <Button type="submit" isWide isBusy={form.isPending || change.isPending}>
          {team ? t`Save` : t`Form the team`}
        </Button>
      </form>
    </Dialog>
  );
}
