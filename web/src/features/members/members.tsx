import type { ManagedMember } from '@caravan/contracts/http/organisations';
import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useIsWide } from '../../lib/media.ts';
import { usePages } from '../../lib/pages.ts';
import { BackLink } from '../../ui/back-link.tsx';
import { Button } from '../../ui/button.tsx';
import { Card, Page } from '../../ui/page.tsx';
import { Pager } from '../../ui/pager.tsx';
import { Loading, Skeleton } from '../../ui/skeleton.tsx';
import { EmptyState, ErrorState } from '../../ui/states.tsx';
import { membersPath, teamsQuery } from './api.ts';
import { Filters } from './filters.tsx';
import { MemberDialog } from './member-dialog.tsx';
import { MemberCards, MemberTable } from './member-table.tsx';
import styles from './members.module.css';
import { isFiltered, type MembersSearch } from './search.ts';
import { SelectionBar } from './selection-bar.tsx';

const pageSize = 50;

/** Everybody of the organisation: found, moved, promoted, deactivated (D43). */
export function Members({ search, onSearch }: { search: MembersSearch; onSearch: (search: MembersSearch) => void }) {
  const { t } = useLingui();
  const pages = usePages<ManagedMember>(membersPath, search, pageSize);
  const teams = useQuery(teamsQuery).data ?? [];
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [openId, setOpenId] = useState<string>();
  const List = useIsWide() ? MemberTable : MemberCards;
  const opened = pages.rows?.find(({ id }) => id === openId);
  return (
    <Page
      title={t`Members`}
      aside={
        <div className={styles.ways}>
          <Button asChild size="small">
            <Link to="/admin/invites">{t`Invite people`}</Link>
          </Button>
          <BackLink to="/admin" />
        </div>
      }
    >
      <Filters search={search} teams={teams} onSearch={onSearch} />
      <Loading isLoading={pages.isPending} skeleton={<MembersSkeleton />}>
        {() => (
          <div className={styles.list} aria-busy={pages.isPlaceholderData}>
            {pages.rows && pages.rows.length > 0 ? (
              <List
                members={pages.rows}
                selected={selected}
                sort={search.sort ?? 'name'}
                onSelect={setSelected}
                onSort={(sort) => onSearch({ ...search, sort })}
                onOpen={setOpenId}
              />
            ) : (
              <Nobody
                search={search}
                hasFailed={!pages.rows}
                onRetry={() => void pages.refetch()}
                onSearch={onSearch}
              />
            )}
          </div>
        )}
      </Loading>
      <Pager label={t`Pages of members`} count={pages.rows?.length ?? 0} {...pages} />
      {selected.size > 0 && <SelectionBar ids={[...selected]} teams={teams} onDone={() => setSelected(new Set())} />}
      {opened && <MemberDialog member={opened} teams={teams} onClose={() => setOpenId(undefined)} />}
    </Page>
  );
}

function Nobody({
  search,
  hasFailed,
  onRetry,
  onSearch,
}: {
  search: MembersSearch;
  hasFailed: boolean;
  onRetry: () => void;
  onSearch: (search: MembersSearch) => void;
}) {
  const { t } = useLingui();
  if (hasFailed)
    return (
      <Card>
        <ErrorState title={t`The members could not be loaded`} hint={t`Please try again later.`} onRetry={onRetry} />
      </Card>
    );
  const action = isFiltered(search) ? (
    <Button variant="quiet" onClick={() => onSearch({})}>{t`Show everybody`}</Button>
  ) : (
    <Button asChild>
      <Link to="/admin/invites">{t`Invite people`}</Link>
    </Button>
  );
  return (
    <Card>
      <EmptyState title={isFiltered(search) ? t`Nobody fits` : t`Nobody here yet`} action={action} />
    </Card>
  );
}

const MembersSkeleton = () => (
  <Card className={styles.waiting}>
    {['34%', '46%', '28%', '40%', '36%', '44%'].map((width) => (
      <div key={width}>
        <Skeleton width={width} height={18} />
        <Skeleton width={180} height={14} />
      </div>
    ))}
  </Card>
);
