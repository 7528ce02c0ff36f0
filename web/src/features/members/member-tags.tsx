import type { ManagedMember } from '@caravan/contracts/http/organisations';
import { useLingui } from '@lingui/react/macro';
import { useSession } from '../../lib/session-state.ts';
import { Tag } from '../../ui/chip.tsx';
import styles from './members.module.css';

/** What sets a member apart: you, an admin, no longer active. */
export function MemberTags({ member }: { member: ManagedMember }) {
  const { t } = useLingui();
  const { user } = useSession();
  return (
    <span className={styles.tags}>
      {member.id === user?.id && <Tag>{t`you`}</Tag>}
      {member.role === 'admin' && <Tag tone="brand">{t`Admin`}</Tag>}
      {!member.isActive && <Tag>{t`Deactivated`}</Tag>}
      {isUnconfirmed(member) && <Tag>{t`Email not confirmed`}</Tag>}
    </span>
  );
}

/** A row need not say so (D43): then it is confirmed. */
const isUnconfirmed = ({ isEmailConfirmed }: Partial<ManagedMember>): boolean => isEmailConfirmed === false;
