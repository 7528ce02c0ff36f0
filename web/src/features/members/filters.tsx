import type { ManagedTeam } from '@caravan/contracts/http/organisations';
import { useLingui } from '@lingui/react/macro';
import { Search } from 'lucide-react';
import { useEffect, useState } from 'react';
import { countedInput } from '../../lib/counted-input.ts';
import { useIsWide } from '../../lib/media.ts';
import { Select } from '../../ui/select.tsx';
import styles from './members.module.css';
import { searchOf, type MembersSearch, type MemberSort } from './search.ts';

const pauseMilliseconds = 250;

/** Search and filters; all of it stands in the address, so that a list can be shared and found again. */
export function Filters({
  search,
  teams,
  onSearch,
}: {
  search: MembersSearch;
  teams: readonly ManagedTeam[];
  onSearch: (search: MembersSearch) => void;
}) {
  const { t } = useLingui();
  const change = (part: Record<string, string>) => onSearch(searchOf({ ...search, ...part }));
  const isWide = useIsWide();
  const team = search.teamId ?? '';
  const isUnknown = team !== '' && !teams.some(({ id }) => id === team);
  return (
    <search className={styles.filters}>
      <SearchField text={search.q ?? ''} onText={(q) => change({ q })} />
      <Select
        aria-label={t`Team`}
        value={team}
        options={[
          { value: '', label: t`All teams` },
          ...(isUnknown ? [{ value: team, label: '…' }] : []),
          ...teams.map(({ id, name, emoji }) => ({ value: id, label: `${emoji} ${name}` })),
        ]}
        onChange={(teamId) => change({ teamId })}
      />
      <Select
        aria-label={t`Role`}
        value={search.role ?? ''}
        options={[
          { value: '', label: t`All roles` },
          { value: 'member', label: t`Members` },
          { value: 'admin', label: t`Admins` },
        ]}
        onChange={(role) => change({ role })}
      />
      <Select
        aria-label={t`Status`}
        value={search.status ?? ''}
        options={[
          { value: '', label: t`Any status` },
          { value: 'active', label: t`Active` },
          { value: 'inactive', label: t`Deactivated` },
        ]}
        onChange={(status) => change({ status })}
      />
      {!isWide && (
        <Select<MemberSort>
          aria-label={t`Order`}
          value={search.sort ?? 'name'}
          options={[
            { value: 'name', label: t`By name` },
            { value: '-name', label: t`By name, Z to A` },
            { value: '-miles', label: t`Most miles first` },
            { value: 'miles', label: t`Fewest miles first` },
            { value: '-active', label: t`Last moved first` },
            { value: 'active', label: t`Longest at rest first` },
            { value: '-joined', label: t`Newest first` },
            { value: 'joined', label: t`Longest here first` },
          ]}
          onChange={(sort) => change({ sort })}
        />
      )}
    </search>
  );
}

/** Asks the server when one pauses, not at every letter. */
function SearchField({ text, onText }: { text: string; onText: (text: string) => void }) {
  const { t } = useLingui();
  const [typed, setTyped] = useState(text);
  const [asked, setAsked] = useState(text);
  // The address changed by other means, such as 'Show everybody'.
  if (text !== asked) {
    setAsked(text);
    setTyped(text);
  }
  useEffect(() => {
    if (typed.trim() === asked) return undefined;
    const timer = setTimeout(() => {
      setAsked(typed.trim());
      onText(typed.trim());
    }, pauseMilliseconds);
    return () => clearTimeout(timer);
  });
  return (
    <div className={styles.search}>
      <Search size={20} aria-hidden="true" />
      <input
        type="search"
        aria-label={t`Search by name or e-mail`}
        placeholder={t`Name or e-mail`}
        value={typed}
        {...countedInput<HTMLInputElement>({ maxLength: 100, onChange: ({ target }) => setTyped(target.value) })}
      />
    </div>
  );
}
