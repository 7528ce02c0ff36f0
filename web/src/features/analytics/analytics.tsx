import type { Analytics as Figures, RecapsEffect } from '@caravan/contracts/http/analytics';
import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Download } from 'lucide-react';
import { useState } from 'react';
import { saveFile } from '../../lib/image-files.ts';
import { BackLink } from '../../ui/back-link.tsx';
import { Button } from '../../ui/button.tsx';
import { Card, Columns, Page } from '../../ui/page.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { Loading, Skeleton } from '../../ui/skeleton.tsx';
import { EmptyState, ErrorState } from '../../ui/states.tsx';
import { toast } from '../../ui/toast-state.ts';
import styles from './analytics.module.css';
import { analyticsQuery, type PeriodChoice, recapsEffectQuery } from './api.ts';
import { Effects } from './effects.tsx';
import { LogsByActivity, LogsByDay } from './logs.tsx';
import { Participation } from './participation.tsx';
import { Retention } from './retention.tsx';
import { TeamBalance } from './teams.tsx';
import { shortDate, useTold } from './use-told.ts';

/** How the organisation moves, for its admins: sums alone, none of them about fewer than five people. */
export function Analytics() {
  const { t } = useLingui();
  const [weeks, setWeeks] = useState<PeriodChoice>('12');
  const { data, isPending, isError, refetch } = useQuery(analyticsQuery(weeks));
  const { data: recaps } = useQuery(recapsEffectQuery);
  return (
    <Page
      title={t`Participation`}
      lead={t`Sums only: nothing here is about fewer than five people.`}
      aside={<BackLink to="/admin" />}
    >
      <div className={styles.tools}>
        <Segmented
          label={t`Period`}
          value={weeks}
          onChange={setWeeks}
          options={[
            { value: '4', label: t`4 weeks` },
            { value: '12', label: t`12 weeks` },
            { value: '26', label: t`Half a year` },
          ]}
        />
        {data && <Export figures={data} recaps={recaps ?? null} />}
      </div>
      <Loading isLoading={isPending} skeleton={<Waiting />}>
        {() => (
          <>
            {isError && !data && (
              <Card>
                <ErrorState title={t`The figures could not be loaded`} onRetry={() => void refetch()} />
              </Card>
            )}
            {data && <Shown figures={data} recaps={recaps ?? null} />}
          </>
        )}
      </Loading>
    </Page>
  );
}

function Shown({ figures, recaps }: { figures: Figures; recaps: RecapsEffect | null }) {
  const { t } = useLingui();
  if (figures.members === null)
    return (
      <Card>
        <EmptyState
          title={t`Not enough people yet`}
          hint={t`Figures begin with five members, so that they never tell of one person. They say the most from ten on.`}
          action={
            <Button asChild size="small">
              <Link to="/admin/invites">{t`Invite people`}</Link>
            </Button>
          }
        />
      </Card>
    );
  if (figures.weeks === 0)
    return (
      <Card>
        <EmptyState title={t`The first week is under way`} hint={t`Its figures stand here from Monday on.`} />
      </Card>
    );
  return (
    <div className={styles.page}>
      <Headline weeks={figures.participation} />
      <Columns
        main={
          <>
            <Participation weeks={figures.participation} />
            <LogsByDay logs={figures.logs} />
            <Retention cohorts={figures.retention} />
          </>
        }
        side={
          <>
            <TeamBalance teams={figures.teams} />
            <LogsByActivity logs={figures.logs} />
            <Effects challenges={figures.challenges} recaps={recaps} />
          </>
        }
      />
    </div>
  );
}

/** What became of last week, in a sentence. */
function Headline({ weeks }: { weeks: Figures['participation'] }) {
  const { t } = useLingui();
  const { people, share } = useTold();
  const before = weeks.at(-2);
  const last = weeks.at(-1);
  if (!last?.moved || last.members === null || last.members < 10) return null;
  const count = people(last.moved, last.members);
  const from = shortDate(last.weekStartsOn);
  const earlier = before?.moved && before.members;
  const was = before && earlier ? share(before.moved, earlier) : null;
  return (
    <Card tone="brand" className={styles.headline}>
      <b>{share(last.moved, last.members)}</b>
      <p>
        {t`${count} members moved in the week of ${from}.`}{' '}
        {was !== null && <span>{t`The week before it was ${was}.`}</span>}
      </p>
    </Card>
  );
}

function Export({ figures, recaps }: { figures: Figures; recaps: RecapsEffect | null }) {
  const { t } = useLingui();
  const save = async () => {
    const { csvOf } = await import('./csv.ts');
    saveFile(new Blob([csvOf(figures, recaps)], { type: 'text/csv' }), `caravan-participation-${figures.until}.csv`);
  };
  const fail = () =>
    toast({ title: t`The figures were not exported`, description: t`Please try again later.`, tone: 'error' });
  return (
    <Button variant="quiet" onClick={() => void save().catch(fail)}>
      <Download size={20} aria-hidden="true" />
      {t`Export as CSV`}
    </Button>
  );
}

const Waiting = () => <Columns main={<Skeleton height={320} />} side={<Skeleton height={320} />} />;
