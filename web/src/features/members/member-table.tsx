import { shownAddress } from '@caravan/contracts/domain/text/email-address';
import type { ManagedMember } from '@caravan/contracts/http/organisations';
import { isolateText } from '@caravan/contracts/domain/text/text';
import { useLingui } from '@lingui/react/macro';
import { ArrowDown, ArrowUp, ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { formatLocalDate, useDates } from '../../lib/dates.ts';
import { useSession } from '../../lib/session-state.ts';
import { useDistance } from '../../lib/units.ts';
import { Tag } from '../../ui/button.tsx';
import styles from './members.module.css';
import { type MemberSort, sortAfter } from './search.ts';
import { type ListProps } from './selection-bar.tsx';
import { togglePage, toggle } from './selection.ts';

/** The list of desks. */
export function MemberTable({ members, selected, sort, onSelect, onSort, onOpen }: ListProps) {
  const { t } = useLingui();
  const { short } = useDistance();
  const heads = { sort, onSort };
  return (
    <table className={styles.table}>
      <thead>
        <tr>
          <th className={styles.pick}>
            <label>
              <input
                type="checkbox"
                aria-label={t`Select this page`}
                checked={members.every(({ id }) => selected.has(id))}
                onChange={() => onSelect(togglePage(selected, members))}
              />
            </label>
          </th>
          <SortHead column="name" {...heads}>{t`Name`}</SortHead>
          <th>{t`Team`}</th>
          <SortHead column="miles" isNumber {...heads}>{t`Total ${short}`}</SortHead>
          <SortHead column="active" {...heads}>{t`Last moved`}</SortHead>
          <SortHead column="joined" {...heads}>{t`Joined`}</SortHead>
        </tr>
      </thead>
      <tbody>
        {members.map((member) => (
          <Row
            key={member.id}
            member={member}
            isSelected={selected.has(member.id)}
            onSelect={() => onSelect(toggle(selected, member.id))}
            onOpen={() => onOpen(member.id)}
          />
        ))}
      </tbody>
    </table>
  );
}

function Row({
  member,
  isSelected,
  onSelect,
  onOpen,
}: {
  member: ManagedMember;
  isSelected: boolean;
  onSelect: () => void;
  onOpen: () => void;
}) {
  const { t } = useLingui();
  const { figure } = useDistance();
  const { name, email, team, lastActivityDate } = member;
  const { formatDate } = useDates();
  return (
    <tr data-inactive={!member.isActive} data-selected={isSelected}>
      <td className={styles.pick}>
        <label>
          <input type="checkbox" aria-label={t`Select ${name}`} checked={isSelected} onChange={onSelect} />
        </label>
      </td>
      <td>
        <button type="button" className={styles.name} onClick={onOpen}>
          <b>
            <bdi>{name}</bdi>
          </b>
        </button>
        <MemberTags member={member} />
        <span className={styles.quiet}>{shownAddress(email)}</span>
      </td>
      <td>
        <span aria-hidden="true">{team.emoji}</span> <bdi>{team.name}</bdi>
      </td>
      <td className={styles.number}>{figure(member.totalMiles)}</td>
      <td>{lastActivityDate ? formatLocalDate(lastActivityDate, { dateStyle: 'medium' }) : '–'}</td>
      <td>{formatDate(member.joinedAt, { dateStyle: 'medium' })}</td>
    </tr>
  );
}

function SortHead({
  column,
  sort,
  isNumber = false,
  onSort,
  children,
}: {
  column: 'name' | 'miles' | 'active' | 'joined';
  sort: MemberSort;
  isNumber?: boolean;
  onSort: (sort: MemberSort) => void;
  children: ReactNode;
}) {
  const descending = sort === `-${column}` ? 'descending' : undefined;
  const order = sort === column ? 'ascending' : descending;
  const Arrow = order === 'descending' ? ArrowDown : ArrowUp;
  return (
    <th aria-sort={order} className={isNumber ? styles.number : undefined}>
      <button type="button" onClick={() => onSort(sortAfter(sort, column))}>
        {children}
        <Arrow size={16} aria-hidden="true" data-shown={order !== undefined} />
      </button>
    </th>
  );
}

/** The list of phones. */
export function MemberCards({ members, selected, onSelect, onOpen }: ListProps) {
  const { t } = useLingui();
  const { figure, short } = useDistance();
  return (
    <ul className={styles.cards}>
      {members.map((member) => (
        <li key={member.id} data-inactive={!member.isActive} data-selected={selected.has(member.id)}>
          <label className={styles.pick}>
            <input
              type="checkbox"
              aria-label={t`Select ${member.name}`}
              checked={selected.has(member.id)}
              onChange={() => onSelect(toggle(selected, member.id))}
            />
          </label>
          <button type="button" className={styles.open} onClick={() => onOpen(member.id)}>
            <span>
              <span className={styles.name}>
                <b>
                  <bdi>{member.name}</bdi>
                </b>
              </span>
              <MemberTags member={member} />
              <span className={styles.quiet}>
                {`${member.team.emoji} ${isolateText(member.team.name)} · ${figure(member.totalMiles)} ${short}`}
              </span>
            </span>
            <ChevronRight size={20} aria-hidden="true" />
          </button>
        </li>
      ))}
    </ul>
  );
}

/** What sets a member apart: you, an admin, no longer active. */
function MemberTags({ member }: { member: ManagedMember }) {
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
