import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { BookOpen } from 'lucide-react';
import { useNow } from '../../lib/now.ts';
import { storageKeys } from '../../lib/storage-keys.ts';
import { createStorageStore } from '../../lib/store.ts';
import { useDistance } from '../../lib/units.ts';
import { Button } from '../../ui/button.tsx';
import { PromptCard } from '../../ui/prompt-card.tsx';
import { newestRecapQuery } from './api.ts';
import styles from './recaps.module.css';
import { weekName } from './words.ts';

const store = createStorageStore();
const dismissedRecap = () => localStorage.getItem(storageKeys.dismissedRecap);
const freshMilliseconds = 5 * 86_400_000;

/** On the dashboard, from Monday on: last week's story, until it is read or put away; then a quiet way to all of them. */
export function RecapCard() {
  const { t } = useLingui();
  const now = useNow();
  const { figure, long } = useDistance();
  const { data } = useQuery(newestRecapQuery);
  const dismissed = store.use(dismissedRecap);
  const recap = data?.[0];
  if (!recap) return null;
  const { id, totalMiles, topTeam, memberCount, isViewed, createdAt, weekStartDate: week } = recap;
  const isFresh = now - Date.parse(createdAt) < freshMilliseconds;
  if (isViewed || !isFresh || memberCount === 0 || dismissed === id)
    return (
      <Link to="/recaps" className={styles.all}>
        <BookOpen size={18} aria-hidden="true" />
        {t`Weekly recaps`}
      </Link>
    );
  const dismiss = () => {
    localStorage.setItem(storageKeys.dismissedRecap, id);
    store.tell();
  };
  const miles = figure(totalMiles);
  const first = topTeam && `${topTeam.emoji} ${topTeam.name}`;
  return (
    <PromptCard
      icon={<BookOpen size={22} aria-hidden="true" />}
      title={t`Last week’s story`}
      text={
        <>
          {weekName(recap)}:{' '}
          <Trans>
            {miles} {long} together.
          </Trans>{' '}
          {first !== null && <Trans>{first} went furthest.</Trans>}
        </>
      }
      onDismiss={dismiss}
    >
      <Button asChild variant="quiet" size="small">
        <Link to="/recaps/$week" params={{ week }}>{t`Read the story`}</Link>
      </Button>
    </PromptCard>
  );
}
