import { useLingui } from '@lingui/react/macro';
import { ChevronRight } from 'lucide-react';
import { useDistance } from '../../lib/units.ts';
import { MemberTags } from './member-tags.tsx';
import styles from './members.module.css';
import { toggled, type ListProps } from './selection.ts';

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
              onChange={() => onSelect(toggled(selected, member.id))}
            />
          </label>
          <button type="button" className={styles.open} onClick={() => onOpen(member.id)}>
            <span>
              <span className={styles.name}>
                <b>{member.name}</b>
              </span>
              <MemberTags member={member} />
              <span className={styles.quiet}>
                {`${member.team.emoji} ${member.team.name} · ${figure(member.totalMiles)} ${short}`}
              </span>
            </span>
            <ChevronRight size={20} aria-hidden="true" />
          </button>
        </li>
      ))}
    </ul>
  );
}
