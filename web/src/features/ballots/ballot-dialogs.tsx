import type { Ballot } from '@caravan/contracts/http/ballots';
import { plural } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { type SyntheticEvent, useState } from 'react';
import { useDates } from '../../lib/dates.ts';
import { serverMessage } from '../../lib/http-error.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm, Dialog } from '../../ui/dialog.tsx';
import { MomentField } from '../../ui/date-field.tsx';
import { TextField } from '../../ui/field.tsx';
import { SelectField } from '../../ui/select.tsx';
import { toast } from '../../ui/toast-state.ts';
import { teamsQuery, useCloseBallot, useEditBallot, useOpenBallots } from './api.ts';
import styles from './ballots.module.css';
import { endAfter, lengthsDays, namesIn, nameFields, usualLengthDays } from './ballot-form.ts';

const allTeams = '';

/** Opens a ballot: for which team, for how long, and with which names if not the suggested ones. */
export function OpenDialog({ ballots, onClose }: { ballots: readonly Ballot[]; onClose: () => void }) {
  const { t } = useLingui();
  const teams = useQuery(teamsQuery).data ?? [];
  const [teamId, setTeamId] = useState(allTeams);
  const [days, setDays] = useState<string>(String(usualLengthDays));
  const [names, setNames] = useState(() => nameFields([]));
  const [refusal, setRefusal] = useState<string>();
  const { mutate, isPending } = useOpenBallots();
  // The same form is the same request, also when it is sent a second time.
  const [openedAt] = useState(() => Date.now());
  const voting = new Set(ballots.filter(({ state }) => state === 'open').map(({ team }) => team.id));
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    const typed = teamId === allTeams ? [] : namesIn(names);
    mutate(
      {
        teamId: teamId === allTeams ? null : teamId,
        endsAt: endAfter(Number(days), openedAt),
        ...(typed.length > 0 && { names: typed }),
      },
      {
        onSuccess: ({ ballots: opened, isEarlier }) => {
          const title = plural(opened.length, { one: '# ballot is open', other: '# ballots are open' });
          const description = isEarlier
            ? t`Your first try had opened it, as you had filled it in then. You can still edit it in the list.`
            : t`The members are asked on their dashboards.`;
          toast({ title, description, tone: 'good' });
          onClose();
        },
        onError: (error) => setRefusal(serverMessage(error, t`That did not work. Please try again later.`)),
      },
    );
  };
  return (
    <Dialog isOpen title={t`Open a ballot`} onOpenChange={(isOpen) => isOpen || onClose()}>
      <form className={styles.form} onSubmit={submit} noValidate>
        <SelectField
          label={t`For`}
          value={teamId}
          options={[
            { value: allTeams, label: t`All teams without an open ballot` },
            ...teams
              .filter(({ retired }) => !retired)
              .map(({ id, name, emoji }) => ({ value: id, label: `${emoji} ${name}`, isDisabled: voting.has(id) })),
          ]}
          onChange={setTeamId}
        />
        <SelectField
          label={t`Open for`}
          value={days}
          options={lengthsDays.map((length) => ({
            value: String(length),
            label: plural(length, { one: '# day', other: '# days' }),
          }))}
          onChange={setDays}
        />
        {teamId === allTeams ? (
          <p
            className={styles.told}
          >{t`Names are suggested from the company's traits and industry; each ballot can be edited until the first vote.`}</p>
        ) : (
          <Names names={names} hint={t`Three to five names, or none: then they are suggested.`} onNames={setNames} />
        )}
        <Refusal text={refusal} />
        <Button type="submit" isWide isBusy={isPending}>{t`Open`}</Button>
      </form>
    </Dialog>
  );
}

/** Changes the end of an open ballot, and its names until somebody has voted. */
export function EditDialog({ ballot, onClose }: { ballot: Ballot; onClose: () => void }) {
  const { t } = useLingui();
  const before = ballot.names.map(({ name }) => name);
  const [names, setNames] = useState(() => nameFields(before));
  const { inField, ofField } = useDates();
  const [endBefore] = useState(() => inField(ballot.endsAt));
  const [endsAt, setEndsAt] = useState(endBefore);
  const [refusal, setRefusal] = useState<string>();
  const { mutate, isPending } = useEditBallot(ballot.id);
  const isVoted = ballot.turnout.voted > 0;
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    const end = ofField(endsAt);
    if (end === undefined) return setRefusal(t`Choose when the ballot ends`);
    const typed = namesIn(names);
    mutate(
      {
        // The field holds no seconds: an end that nobody touched stays as it is.
        ...(endsAt !== endBefore && { endsAt: end }),
        ...(!isVoted && typed.join('\n') !== before.join('\n') && { names: typed }),
      },
      {
        onSuccess: () => {
          toast({ title: t`The ballot is saved`, tone: 'good' });
          onClose();
        },
        onError: (error) => setRefusal(serverMessage(error, t`That did not work. Please try again later.`)),
      },
    );
  };
  const { name } = ballot.team;
  return (
    <Dialog isOpen title={t`Ballot of ${name}`} onOpenChange={(isOpen) => isOpen || onClose()}>
      <form className={styles.form} onSubmit={submit} noValidate>
        <MomentField label={t`Ends`} value={endsAt} onValue={setEndsAt} />
        {isVoted ? (
          <p className={styles.told}>{t`Somebody has voted: the names stay as they are.`}</p>
        ) : (
          <Names names={names} hint={t`Three to five names.`} onNames={setNames} />
        )}
        <Refusal text={refusal} />
        <Button type="submit" isWide isBusy={isPending}>{t`Save`}</Button>
      </form>
    </Dialog>
  );
}

export function CloseDialog({ ballot, onClose }: { ballot: Ballot; onClose: () => void }) {
  const { t } = useLingui();
  const { mutate, isPending } = useCloseBallot(ballot.id);
  const { name } = ballot.team;
  return (
    <Confirm
      title={t`Close the ballot of ${name} now?`}
      description={t`The votes so far decide. It cannot be opened again.`}
      action={t`Close now`}
      isBusy={isPending}
      onConfirm={() =>
        mutate(undefined, {
          onSuccess: () => {
            toast({ title: t`The ballot is closed`, description: t`The votes are being counted.`, tone: 'good' });
            onClose();
          },
          onError: (error) =>
            toast({
              title: t`The ballot was not closed`,
              description: serverMessage(error, t`Please try again later.`),
              tone: 'error',
            }),
        })
      }
      onClose={onClose}
    />
  );
}

const longestName = 40;

function Names({
  names,
  hint,
  onNames,
}: {
  names: readonly string[];
  hint: string;
  onNames: (names: string[]) => void;
}) {
  const { t } = useLingui();
  return (
    <fieldset className={styles.fields}>
      <legend>{t`Names`}</legend>
      {names.map((name, at) => (
        <TextField
          key={at}
          label={t`Name ${at + 1}`}
          maxLength={longestName}
          autoComplete="off"
          value={name}
          onChange={({ target }) => onNames(names.with(at, target.value))}
        />
      ))}
      <p className={styles.told}>{hint}</p>
    </fieldset>
  );
}

const Refusal = ({ text }: { text: string | undefined }) =>
  text !== undefined && (
    <p role="alert" className={styles.refusal}>
      {text}
    </p>
  );
