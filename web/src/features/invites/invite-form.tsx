import type { Invite, ManagedTeam } from '@caravan/contracts/http/organisations';
import { plural } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { type SyntheticEvent, useState } from 'react';
import { fieldRefusals, serverMessage } from '../../lib/http-error.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { SelectField } from '../../ui/select.tsx';
import { toast } from '../../ui/toast-state.ts';
import { useCreateInvite } from './api.ts';
import { domainsIn, expiryAfter, lifetimesDays, usesIn, usualLifetimeDays } from './invite.ts';
import styles from './invites.module.css';

type Refusals = { maxUses?: string; domains?: string };

/** The terms of a new invite; as they stand it is open to anybody for fourteen days. */
export function InviteForm({
  teams,
  onCreated,
  onClose,
}: {
  teams: readonly ManagedTeam[];
  onCreated: (invite: Invite) => void;
  onClose: () => void;
}) {
  const { t } = useLingui();
  const create = useCreateInvite();
  // The same form is the same request, also when it is sent a second time.
  const [openedAt] = useState(() => Date.now());
  const [days, setDays] = useState<string>(String(usualLifetimeDays));
  const [typedUses, setTypedUses] = useState('');
  const [typedDomains, setTypedDomains] = useState('');
  const [teamId, setTeamId] = useState('');
  const [refusals, setRefusals] = useState<Refusals>({});
  const fail = (error: Error) => {
    setRefusals(
      Object.fromEntries(fieldRefusals(error).map(({ path, message }) => [path.replace(/\..*/, ''), message])),
    );
    toast({
      title: t`The invite was not made`,
      description: serverMessage(error, t`Please try again later.`),
      tone: 'error',
    });
  };
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    const maxUses = usesIn(typedUses);
    if (maxUses === undefined) return setRefusals({ maxUses: t`A whole number of 1 or more, or nothing` });
    const body = {
      expiresAt: expiryAfter(Number(days), openedAt),
      maxUses,
      domains: domainsIn(typedDomains),
      teamId: teamId === '' ? null : teamId,
    };
    create.mutate(body, {
      onSuccess: ({ answer, isEarlier }) => {
        if (isEarlier)
          toast({
            title: t`Your first try was saved`,
            description: t`This is the invite as you had filled it in then. You can revoke it and make another one.`,
            tone: 'good',
          });
        onCreated(answer);
      },
      onError: fail,
    });
  };
  return (
    <Dialog isOpen title={t`New invite`} onOpenChange={(isOpen) => isOpen || onClose()}>
      <form className={styles.form} onSubmit={submit} noValidate>
        <SelectField
          label={t`Open for`}
          value={days}
          options={lifetimesDays.map((lifetime) => ({
            value: String(lifetime),
            label: plural(lifetime, { one: '# day', other: '# days' }),
          }))}
          onChange={setDays}
        />
        <TextField
          label={t`How many may join`}
          inputMode="numeric"
          placeholder={t`Any number`}
          value={typedUses}
          error={refusals.maxUses}
          onChange={({ target }) => setTypedUses(target.value)}
        />
        <TextField
          label={t`E-mail domains`}
          placeholder="example.com, example.org"
          hint={t`Nothing here: any address.`}
          autoComplete="off"
          value={typedDomains}
          error={refusals.domains}
          onChange={({ target }) => setTypedDomains(target.value)}
        />
        <SelectField
          label={t`Team`}
          value={teamId}
          options={[
            { value: '', label: t`The smallest at the time` },
            ...teams
              .filter(({ retired }) => !retired)
              .map(({ id, name, emoji }) => ({ value: id, label: `${emoji} ${name}` })),
          ]}
          onChange={setTeamId}
        />
        <Button type="submit" isWide isBusy={create.isPending}>{t`Create invite`}</Button>
      </form>
    </Dialog>
  );
}
