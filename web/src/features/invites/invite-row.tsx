import { shownDomain } from '@caravan/contracts/domain/text/email-address';
import type { Invite, ManagedTeam } from '@caravan/contracts/http/organisations';
import { plural } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { Share2 } from 'lucide-react';
import { useDates } from '../../lib/dates.ts';
import { formatCount } from '../../lib/format.ts';
import { serverMessage } from '../../lib/http-error.ts';
import { Button, Tag } from '../../ui/button.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { toast } from '../../ui/toast-state.ts';
import { useRevokeInvite } from './api.ts';
import styles from './invites.module.css';

export function InviteRow({
  invite,
  team,
  onShare,
  onRevoke,
}: {
  invite: Invite;
  team: ManagedTeam | undefined;
  onShare: () => void;
  onRevoke: () => void;
}) {
  const { t } = useLingui();
  const { code, state } = invite;
  const domains = invite.domains.map(shownDomain);
  const isOpen = state === 'open';
  const states = { open: t`Open`, expired: t`Expired`, 'used-up': t`Used up`, revoked: t`Revoked` };
  const { formatDate } = useDates();
  const date = formatDate(invite.expiresAt, { dateStyle: 'medium', timeStyle: 'short' });
  return (
    <li className={styles.row}>
      <div className={styles.what}>
        <p className={styles.code}>
          <code data-open={isOpen}>{code}</code> <Tag tone={isOpen ? 'good' : 'plain'}>{states[state]}</Tag>
        </p>
        <p>
          {usesOf(invite, t`any number`)}&nbsp;· {state === 'expired' ? t`expired ${date}` : t`until ${date}`}
        </p>
        {(team || domains.length > 0) && (
          <p>
            {[team && t`into ${team.emoji} ${team.name}`, domains.length > 0 && t`only ${domains.join(', ')}`]
              .filter(Boolean)
              .join('\u00a0· ')}
          </p>
        )}
      </div>
      {isOpen && (
        <div className={styles.acts}>
          <Button variant="quiet" size="small" aria-label={t`Share ${code}`} onClick={onShare}>
            <Share2 size={18} aria-hidden="true" />
            {t`Share`}
          </Button>
          <Button variant="plain" size="small" aria-label={t`Revoke ${code}`} onClick={onRevoke}>
            {t`Revoke`}
          </Button>
        </div>
      )}
    </li>
  );
}

function usesOf({ uses, maxUses }: Invite, anyNumber: string): string {
  const used = plural(uses, { one: '# joined', other: '# joined' });
  return `${used} / ${maxUses === null ? anyNumber : formatCount(maxUses)}`;
}

export function RevokeDialog({ invite, onClose }: { invite: Invite; onClose: () => void }) {
  const { t } = useLingui();
  const revoke = useRevokeInvite();
  const confirm = () =>
    revoke.mutate(invite.id, {
      onSuccess: () => toast({ title: t`${invite.code} is revoked`, tone: 'good' }),
      onError: (error) =>
        toast({
          title: t`${invite.code} was not revoked`,
          description: serverMessage(error, t`Please try again later.`),
          tone: 'error',
        }),
      onSettled: onClose,
    });
  return (
    <Confirm
      title={t`Revoke ${invite.code}?`}
      description={t`The link and the code stop working at once and for good. Who joined with them stays.`}
      action={t`Revoke`}
      isBusy={revoke.isPending}
      onConfirm={confirm}
      onClose={onClose}
    />
  );
}
