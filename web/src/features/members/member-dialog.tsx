import { shownAddress } from '@caravan/contracts/domain/text/email-address';
import type { ManagedMember, ManagedTeam } from '@caravan/contracts/http/organisations';
import { Trans, useLingui } from '@lingui/react/macro';
import { UserRoundCheck, UserRoundX } from 'lucide-react';
import { useState } from 'react';
import { useDates } from '../../lib/dates.ts';
import { serverMessage } from '../../lib/http-error.ts';
import { useDistance } from '../../lib/units.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm, Dialog } from '../../ui/dialog.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { SelectField } from '../../ui/select.tsx';
import { toast } from '../../ui/toast-state.ts';
import { useChangeMember } from './api.ts';
import styles from './members.module.css';

/** One member: role, team, and whether the account is active. Every change holds at once; a refusal is explained. */
export function MemberDialog({
  member,
  teams,
  onClose,
}: {
  member: ManagedMember;
  teams: readonly ManagedTeam[];
  onClose: () => void;
}) {
  const { t } = useLingui();
  const { figure, long } = useDistance();
  const [isAsking, setAsking] = useState(false);
  const { change, isBusy } = useChange(member);
  const { name, team, isActive } = member;
  const { formatDate } = useDates();
  const joined = formatDate(member.joinedAt, { dateStyle: 'medium' });
  const distance = `${figure(member.totalMiles)} ${long}`;
  if (isAsking)
    return (
      <Confirm
        title={t`Deactivate ${name}?`}
        description={t`They are signed out everywhere and cannot sign in again until you reactivate them. Their miles stay.`}
        action={t`Deactivate`}
        isBusy={isBusy}
        onConfirm={() => change({ isActive: false }, t`${name} is deactivated`, () => setAsking(false))}
        onClose={() => setAsking(false)}
      />
    );
  return (
    <Dialog
      isOpen
      title={name}
      description={
        <>
          {shownAddress(member.email)}
          <br />
          <Trans>
            {distance}&nbsp;· joined {joined}
          </Trans>
        </>
      }
      onOpenChange={(isOpen) => isOpen || onClose()}
    >
      <div className={styles.dialog}>
        <SelectField
          label={t`Team`}
          value={team.id}
          disabled={isBusy}
          options={teams
            .filter(({ id, retired }) => !retired || id === team.id)
            .map((each) => ({ value: each.id, label: `${each.emoji} ${each.name}` }))}
          onChange={(teamId) => {
            const to = teams.find(({ id }) => id === teamId)?.name ?? '';
            change({ teamId }, t`${name} is now in ${to}`);
          }}
        />
        <div>
          <p className={styles.label}>{t`Role`}</p>
          <Segmented
            label={t`Role`}
            value={member.role}
            onChange={(role) =>
              change({ role }, role === 'admin' ? t`${name} is now an admin` : t`${name} is now a member`)
            }
            options={[
              { value: 'member', label: t`Member` },
              { value: 'admin', label: t`Admin` },
            ]}
          />
          <p className={styles.quiet}>{t`Another role signs them out once, so that it holds everywhere.`}</p>
        </div>
        {isActive ? (
          <Button variant="quiet" isBusy={isBusy} onClick={() => setAsking(true)}>
            <UserRoundX size={20} aria-hidden="true" />
            {t`Deactivate…`}
          </Button>
        ) : (
          <Button isBusy={isBusy} onClick={() => change({ isActive: true }, t`${name} is active again`)}>
            <UserRoundCheck size={20} aria-hidden="true" />
            {t`Reactivate`}
          </Button>
        )}
      </div>
    </Dialog>
  );
}

function useChange({ id, name }: ManagedMember) {
  const { t } = useLingui();
  const { mutate, isPending } = useChangeMember();
  type Body = Omit<Parameters<typeof mutate>[0], 'id'>;
  const change = (body: Body, done: string, after?: () => void) =>
    mutate(
      { id, ...body },
      {
        onSuccess: () => toast({ title: done, tone: 'good' }),
        onError: (error) =>
          toast({
            title: t`${name} was not changed`,
            description: serverMessage(error, t`Please try again later.`),
            tone: 'error',
          }),
        ...(after && { onSettled: after }),
      },
    );
  return { change, isBusy: isPending };
}
