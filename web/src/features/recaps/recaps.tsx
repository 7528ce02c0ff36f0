import type { RecapSummary } from '@caravan/contracts/http/recaps';
import { isolateText } from '@caravan/contracts/domain/text/text';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import { CalendarDays, ChevronRight } from 'lucide-react';
import { usePages } from '../../lib/pages.ts';
import { useDistance } from '../../lib/units.ts';
import { Tag } from '../../ui/button.tsx';
import { Page } from '../../ui/page.tsx';
import { PagedCard } from '../../ui/paged-card.tsx';
import styles from './recaps.module.css';
import { weekName } from './words.ts';

const weeksPerPage = 20;

/** The weeks that have a story, newest first (D28). */
export function Recaps() {
  const { t } = useLingui();
  const pages = usePages<RecapSummary>('/api/recaps', {}, weeksPerPage);
  return (
    <Page title={t`Weekly recaps`} lead={t`What we did together, week by week`} width="text">
      <PagedCard
        pages={pages}
        label={t`Weeks`}
        action={null}
        empty={{ title: t`No recap yet`, hint: t`The first one is here on Monday morning.` }}
        failed={t`The recaps could not be loaded`}
        className={styles.weeks}
        row={(recap) => <Week key={recap.id} recap={recap} />}
      />
    </Page>
  );
}

function Week({ recap }: { recap: RecapSummary }) {
  const { t } = useLingui();
  const { figure, long } = useDistance();
  const { memberCount, topTeam, totalMiles, isViewed } = recap;
  const miles = figure(totalMiles);
  return (
    <li>
      <Link to="/recaps/$week" params={{ week: recap.weekStartDate }} className={styles.week}>
        <span className={styles.crest} aria-hidden="true">
          {topTeam ? topTeam.emoji : <CalendarDays size={22} />}
        </span>
        <span className={styles.grow}>
          <strong>{weekName(recap)}</strong>
          <span className={styles.quiet}>
            <Trans>
              {miles} {long}&nbsp;· <Plural value={memberCount} one="# person" other="# people" />
            </Trans>
            {topTeam && `\u00a0· ${topTeam.emoji} ${isolateText(topTeam.name)}`}
          </span>
        </span>
        {!isViewed && <Tag tone="brand">{t`New`}</Tag>}
        <ChevronRight size={20} aria-hidden="true" />
      </Link>
    </li>
  );
}
