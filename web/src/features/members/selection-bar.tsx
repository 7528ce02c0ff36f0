import type { ManagedMember, ManagedTeam } from '@caravan/contracts/http/organisations';
import { plural } from '@lingui/core/macro';
import { Plural, useLingui } from '@lingui/react/macro';
import { X } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Select } from '../../ui/select.tsx';
import { toast } from '../../ui/toast-state.ts';
import { type Moves, useMoveMembers } from './api.ts';
import styles from './members.module.css';
import type { MemberSort } from './search.ts';

/** What can be done with all who are selected: move them to a team. */
export function SelectionBar({
  ids,
  teams,
  onDone,
}: {
  ids: readonly string[];
  teams: readonly ManagedTeam[];
  onDone: () => void;
}) {
  const { t } = useLingui();
  const [teamId, setTeamId] = useState('');
  const move = useMoveMembers();
  const team = teams.find(({ id }) => id === teamId)?.name ?? '';
  const tell = ({ moved, refusals: [first, ...others] }: Moves) => {
    const title = plural(moved, { one: `# member moved to ${team}`, other: `# members moved to ${team}` });
    if (first === undefined) return toast({ title, tone: 'good' });
    const left = plural(others.length + 1, { one: '# could not be moved.', other: '# could not be moved.' });
    toast({ title, description: `${left} ${first}`, tone: 'error' });
  };
  return (
    <section className={styles.bar} aria-label={t`Selection`}>
      <b aria-live="polite">
        <Plural value={ids.length} one="# selected" other="# selected" />
      </b>
      <Select
        aria-label={t`Move to team`}
        value={teamId}
        options={[
          { value: '', label: t`Move to team…`, isDisabled: true },
          ...teams
            .filter(({ retired }) => !retired)
            .map(({ id, name, emoji }) => ({ value: id, label: `${emoji} ${name}` })),
        ]}
        onChange={setTeamId}
      />
      <Button
        size="small"
        disabled={teamId === ''}
        isBusy={move.isPending}
        onClick={() =>
          move.mutate(
            { ids, teamId },
            {
              onSuccess: (moves) => {
                tell(moves);
                onDone();
              },
            },
          )
        }
      >{t`Move`}</Button>
      <Button variant="plain" size="small" aria-label={t`Clear the selection`} onClick={onDone}>
        <X size={20} aria-hidden="true" />
      </Button>
    </section>
  );
}

/** What the table of desks and the cards of phones are given. */
export type ListProps = {
  members: readonly ManagedMember[];
  selected: ReadonlySet<string>;
  sort: MemberSort;
  onSelect: (selected: ReadonlySet<string>) => void;
  onSort: (sort: MemberSort) => void;
  onOpen: (id: string) => void;
};
