import type { NameOptions } from '@caravan/contracts/http/ballots';
import { useLingui } from '@lingui/react/macro';
import { type SyntheticEvent, useId, useState } from 'react';
import { serverMessage } from '../../lib/http-error.ts';
import { Button } from '../../ui/button.tsx';
import { toast } from '../../ui/toast-state.ts';
import { useVote } from './api.ts';
import styles from './team-voting.module.css';

/** One choice, once; what the others chose shows afterwards (5.20 to 5.22). */
export function VoteForm({ teamId, ballot }: { teamId: string; ballot: NameOptions }) {
  const { t } = useLingui();
  const hint = useId();
  const [typed, setChosen] = useState<string>();
  const vote = useVote(teamId, ballot.ballotId);
  // The names may have been edited since.
  const chosen = ballot.nameOptions.find(({ name }) => name === typed)?.name;
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    if (chosen === undefined || teamId === '') return;
    vote.mutate(chosen, {
      onSuccess: ({ request, isEarlier }) => {
        const counted = request.body.chosenName;
        const description = isEarlier ? t`Your first try had counted: you chose ${counted}.` : t`You chose ${counted}.`;
        toast({ title: t`Vote submitted!`, description, tone: 'good' });
      },
      onError: (error) =>
        toast({
          title: t`Vote failed`,
          description: serverMessage(error, t`Failed to submit your vote. Please try again.`),
          tone: 'error',
        }),
    });
  };
  return (
    <form onSubmit={submit}>
      <fieldset className={styles.options} aria-describedby={hint}>
        <legend>{t`Choose a name`}</legend>
        {ballot.nameOptions.map(({ name }) => (
          <label key={name} className={styles.option}>
            <input
              type="radio"
              name="team-name"
              value={name}
              checked={name === chosen}
              onChange={() => setChosen(name)}
            />
            <bdi>{name}</bdi>
          </label>
        ))}
      </fieldset>
      <p id={hint} className={styles.hint}>
        {t`You can only vote once!`} {t`How the others voted shows once you have.`}
      </p>
      <Button type="submit" isWide isBusy={vote.isPending} disabled={chosen === undefined || teamId === ''}>
        {t`Submit Vote`}
      </Button>
    </form>
  );
}
