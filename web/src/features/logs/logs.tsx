import { productActivities } from '@caravan/contracts/domain/movement/activities';
import type { OwnLog } from '@caravan/contracts/http/movement';
import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ListFilter, PencilLine, Trash2 } from 'lucide-react';
import { type ComponentType, useRef, useState } from 'react';
import { ownLogOf } from '../../lib/answers.ts';
import { useDates } from '../../lib/dates.ts';
import { formatDuration } from '../../lib/format.ts';
import { frequentActivitiesQuery } from '../../lib/me.ts';
import { useNow } from '../../lib/now.ts';
import { usePages } from '../../lib/pages.ts';
import type { PhotoChoiceProps } from '../../lib/photos.ts';
import { useDistance } from '../../lib/units.ts';
import { Button, Tag } from '../../ui/button.tsx';
import { DateField } from '../../ui/date-field.tsx';
import { EffortNote } from '../../ui/effort.tsx';
import { Card } from '../../ui/page.tsx';
import { Pager } from '../../ui/pager.tsx';
import { SelectField } from '../../ui/select.tsx';
import { Loading, Skeleton } from '../../ui/skeleton.tsx';
import { SourceTag } from '../../ui/source-tag.tsx';
import { EmptyState, ErrorState } from '../../ui/states.tsx';
import { logsPath } from './api.ts';
import { CorrectLog, RemoveLog } from './correct-log.tsx';
import { isChangeable } from './correction.ts';
import styles from './logs.module.css';
import { SameWorkout } from './same-workout.tsx';

const pageSize = 5;

type Asked = { act: 'correct' | 'remove'; log: OwnLog };

/** One's own movements, newest first, to find again, to correct and to take back (D8). */
export function Logs({ PhotoChoice }: { PhotoChoice: ComponentType<PhotoChoiceProps> }) {
  const { t } = useLingui();
  const now = useNow();
  const list = useRef<HTMLDivElement>(null);
  const [filter, setFilter] = useState<LogFilter>({});
  const [asked, setAsked] = useState<Asked>();
  const pages = usePages<OwnLog>(logsPath, filter, pageSize, ownLogOf);
  const rows = pages.rows ?? [];
  const isFiltered = Object.keys(filter).length > 0;
  const close = () => setAsked(undefined);
  if (pages.rows?.length === 0 && !isFiltered && pages.before === 0) return <NothingYet />;
  return (
    <Card title={t`Your movements`}>
      <div ref={list} tabIndex={-1} className={styles.logs}>
        <Filters filter={filter} names={rows.map(({ activityType }) => activityType)} onFilter={setFilter} />
        <Loading isLoading={pages.isPending} skeleton={<Skeleton height={240} />}>
          {() => (
            <>
              {pages.isError && !pages.rows && (
                <ErrorState title={t`Your movements could not be loaded`} onRetry={() => void pages.refetch()} />
              )}
              {pages.rows?.length === 0 && <NothingFound onAll={isFiltered ? () => setFilter({}) : undefined} />}
              <ul aria-busy={pages.isPlaceholderData}>
                {rows.map((log) => (
                  <LogRow
                    key={log.id}
                    log={log}
                    isChangeable={isChangeable(log, now)}
                    onAsk={(act) => setAsked({ act, log })}
                  />
                ))}
              </ul>
              <Pager
                label={t`Pages of your movements`}
                before={pages.before}
                count={rows.length}
                onPrevious={pages.onPrevious}
                onNext={pages.onNext}
              />
            </>
          )}
        </Loading>
      </div>
      {asked?.act === 'correct' && <CorrectLog log={asked.log} PhotoChoice={PhotoChoice} onClose={close} />}
      {asked?.act === 'remove' && (
        <RemoveLog log={asked.log} onClose={close} onRemoved={() => list.current?.focus({ preventScroll: true })} />
      )}
    </Card>
  );
}

function NothingYet() {
  const { t } = useLingui();
  return (
    <Card>
      <EmptyState
        title={t`You haven't logged any movement yet`}
        hint={t`Try the timer to get started!`}
        action={
          <Button asChild size="small">
            <Link to="/timer">{t`Start the timer`}</Link>
          </Button>
        }
      />
    </Card>
  );
}

function NothingFound({ onAll }: { onAll: (() => void) | undefined }) {
  const { t } = useLingui();
  return (
    <EmptyState
      title={t`No movements here`}
      action={
        onAll && (
          <Button variant="quiet" size="small" onClick={onAll}>
            {t`Show all`}
          </Button>
        )
      }
    />
  );
}

/** One movement: what, how long, when, and what it earned. */
function LogRow({
  log,
  isChangeable,
  onAsk,
}: {
  log: OwnLog;
  isChangeable: boolean;
  onAsk: (act: 'correct' | 'remove') => void;
}) {
  const { t } = useLingui();
  const { figure, short } = useDistance();
  const { activityType, durationMinutes, multiplier, startedAt, caption, isImported } = log;
  const now = useNow();
  const { formatMoment, formatDate } = useDates();
  const whenOf = (at: string) => formatMoment(at, now);
  const when = whenOf(startedAt);
  const earned = isImported && log.distanceMiles === 0 ? t`Not scored` : `${figure(log.distanceMiles)} ${short}`;
  return (
    <li className={styles.row}>
      <span className={styles.day} aria-hidden="true">
        <b>{formatDate(startedAt, { day: 'numeric' })}</b>
        {formatDate(startedAt, { weekday: 'short' })}
      </span>
      <div className={styles.what}>
        <b>
          <bdi>{activityType}</bdi>
        </b>
        <p>
          <time dateTime={startedAt}>{when}</time>&nbsp;· {formatDuration(durationMinutes)}
        </p>
        {isImported && (
          <p>
            <SourceTag source={log.source} />
            {log.audience === 'owner' && <Tag>{t`Only you see this`}</Tag>}
          </p>
        )}
        {caption && (
          <p className={styles.caption} dir="auto">
            {caption}
          </p>
        )}
        {log.perceivedEffort !== null && <EffortNote effort={log.perceivedEffort} />}
        <SameWorkout log={log} when={when} whenOf={whenOf} isChangeable={isChangeable} />
      </div>
      <div className={styles.earned}>
        {multiplier > 1 && <Tag tone="brand">x{multiplier}</Tag>}
        <span className={styles.miles}>{log.isCounted ? earned : t`Not counted`}</span>
      </div>
      {isChangeable && (
        <div className={styles.acts}>
          {!isImported && (
            <button type="button" aria-label={t`Correct ${activityType}, ${when}`} onClick={() => onAsk('correct')}>
              <PencilLine size={20} aria-hidden="true" />
            </button>
          )}
          <button type="button" aria-label={t`Delete ${activityType}, ${when}`} onClick={() => onAsk('remove')}>
            <Trash2 size={20} aria-hidden="true" />
          </button>
        </div>
      )}
    </li>
  );
}

/** Dates are local ones, both included. */
type LogFilter = Partial<Record<'activityType' | 'from' | 'to', string>>;

/** By activity and by dates. @param names activities that stand in the list */
function Filters({
  filter,
  names,
  onFilter,
}: {
  filter: LogFilter;
  names: readonly string[];
  onFilter: (filter: LogFilter) => void;
}) {
  const { t } = useLingui();
  const { data: frequent } = useQuery(frequentActivitiesQuery);
  const own = (frequent ?? []).map(({ activityName }) => activityName);
  const chosen = filter.activityType === undefined ? [] : [filter.activityType];
  const activities = [...new Set([...productActivities, ...own, ...names, ...chosen])];
  const change = (part: LogFilter) =>
    onFilter(Object.fromEntries(Object.entries({ ...filter, ...part }).filter(([, value]) => value !== '')));
  return (
    <details className={styles.more} open={Object.keys(filter).length > 0 || undefined}>
      <summary>
        <ListFilter size={18} aria-hidden="true" />
        {t`Filter`}
      </summary>
      <search className={styles.filters} aria-label={t`Filter your movements`}>
        <SelectField
          label={t`Activity`}
          value={filter.activityType ?? ''}
          options={[
            { value: '', label: t`All activities` },
            ...activities.map((name) => ({ value: name, label: name })),
          ]}
          onChange={(activityType) => change({ activityType })}
        />
        <DateField label={t`From`} max={filter.to} value={filter.from ?? ''} onValue={(from) => change({ from })} />
        <DateField label={t`To`} min={filter.from} value={filter.to ?? ''} onValue={(to) => change({ to })} />
      </search>
    </details>
  );
}
