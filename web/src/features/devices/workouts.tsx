import type { ImportedWorkout } from '@caravan/contracts/http/fitness';
import { Trans, useLingui } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import { useDates } from '../../lib/dates.ts';
import { formatDuration } from '../../lib/format.ts';
import { serverMessage } from '../../lib/http-error.ts';
import { useNow } from '../../lib/now.ts';
import { sourceWords } from '../../lib/source-words.ts';
import { Back } from '../../ui/back-link.tsx';
import { Button, Tag } from '../../ui/button.tsx';
import { Card, Columns, Page } from '../../ui/page.tsx';
import { Pager } from '../../ui/pager.tsx';
import { Loading, Skeleton } from '../../ui/skeleton.tsx';
import { EmptyState, ErrorState } from '../../ui/states.tsx';
import { Hidden } from '../../ui/text.tsx';
import { toast } from '../../ui/toast-state.ts';
import { useCountWorkout, useImportedWorkouts } from './api.ts';
import { providerNames } from './device.ts';
import { SyncHistory } from './sync-history.tsx';
import { skipWords } from './words.ts';
import styles from './workouts.module.css';

/** What came from platforms and what it counts as; beside it, when it came. */
export function ImportedWorkouts() {
  const { t } = useLingui();
  return (
    <Page
      title={t`Imported workouts`}
      lead={t`What came from your devices, and what it counts as.`}
      before={<Back otherwise="/account-settings" />}
    >
      <Columns main={<Workouts />} side={<SyncHistory />} />
    </Page>
  );
}

function Workouts() {
  const { t } = useLingui();
  const pages = useImportedWorkouts();
  return (
    <Card title={t`Workouts`}>
      <Loading isLoading={pages.isPending} skeleton={<Skeleton height={320} />}>
        {() => (
          <>
            {pages.isError && !pages.rows && (
              <ErrorState title={t`Your imported workouts could not be loaded`} onRetry={() => void pages.refetch()} />
            )}
            {pages.rows?.length === 0 && <NothingImported />}
            <ul className={styles.rows} aria-busy={pages.isPlaceholderData}>
              {pages.rows?.map((workout) => (
                <WorkoutRow key={workout.id} workout={workout} />
              ))}
            </ul>
            <Pager label={t`Pages of your imported workouts`} count={pages.rows?.length ?? 0} {...pages} />
          </>
        )}
      </Loading>
    </Card>
  );
}

function NothingImported() {
  const { t } = useLingui();
  return (
    <EmptyState
      title={t`Nothing imported yet`}
      hint={t`Connect Strava or Fitbit, and your last 30 days come along.`}
      action={
        <Button asChild size="small">
          <Link to="/account-settings">{t`Connect a device`}</Link>
        </Button>
      }
    />
  );
}

function WorkoutRow({ workout }: { workout: ImportedWorkout }) {
  const { activityType, startedAt, durationMinutes, provider, state } = workout;
  const when = useDates().formatMoment(startedAt, useNow());
  return (
    <li className={styles.row}>
      <div>
        <b>{activityType}</b>
        <p>
          <time dateTime={startedAt}>{when}</time>&nbsp;· {formatDuration(durationMinutes)}&nbsp;·{' '}
          {providerNames[provider]}
        </p>
      </div>
      <StateTag state={state} />
      <Why workout={workout} />
      <Override workout={workout} when={when} />
    </li>
  );
}

function StateTag({ state }: { state: ImportedWorkout['state'] }) {
  const { t } = useLingui();
  const words = {
    counted: t`Counts`,
    unscored: t`Earns no miles`,
    duplicate: t`Not counted`,
    removed: t`Deleted`,
    skipped: t`Skipped`,
  };
  return <Tag tone={state === 'counted' ? 'good' : 'plain'}>{words[state]}</Tag>;
}

/** The rule behind the state, where it is not plain. */
function Why({ workout: { state, why, sameAs, provider } }: { workout: ImportedWorkout }) {
  const { t, i18n } = useLingui();
  const { formatMoment } = useDates();
  const now = useNow();
  const other = sameAs && sourceWords(sameAs.provider);
  const activity = sameAs?.activityType ?? '';
  const source = other ? i18n._(other) : (sameAs?.provider ?? '');
  const when = sameAs ? formatMoment(sameAs.startedAt, now) : '';
  if (state === 'duplicate')
    return (
      <p className={styles.why}>
        {sameAs
          ? t`The same as ${activity} from ${source}, ${when}, which counts.`
          : t`It does not count, because you said so.`}
      </p>
    );
  if (state === 'removed')
    return (
      <p className={styles.why}>
        <Trans>You deleted it from your log. It does not come back by itself.</Trans>
      </p>
    );
  if (state === 'unscored')
    return (
      <p className={styles.why}>
        <Trans>You have not let it earn miles. The settings of your devices can change that.</Trans>
      </p>
    );
  if (state === 'skipped' && why) {
    const reason = i18n._(skipWords(why, providerNames[provider]));
    return <p className={styles.why}>{t`It counts for nothing: ${reason}.`}</p>;
  }
  return null;
}

/** The member's word goes above the rule, both ways (D25). At once; the notice takes it back. */
function Override({ workout: { id, state, sameAs, activityType }, when }: { workout: ImportedWorkout; when: string }) {
  const { t } = useLingui();
  const { mutate, isPending } = useCountWorkout();
  if (state !== 'duplicate' && state !== 'counted' && state !== 'removed') return null;
  const change = (counts: boolean, undo?: () => void) =>
    mutate(
      { id, counts },
      {
        onSuccess: () =>
          toast({
            title: counts ? t`It counts now` : t`It does not count any more`,
            tone: 'good',
            ...(undo && { action: { label: t`Undo`, onPress: undo } }),
          }),
        onError: (error) =>
          toast({
            title: t`That could not be changed`,
            description: serverMessage(error, t`Please try again.`),
            tone: 'error',
          }),
      },
    );
  const isCounted = state === 'counted';
  const countIt = () => {
    if (state === 'removed') return t`Count it again`;
    return sameAs ? t`Count it too` : t`Count it`;
  };
  return (
    <div className={styles.override} data-quiet={isCounted}>
      <Button
        variant={isCounted ? 'plain' : 'quiet'}
        size="small"
        isBusy={isPending}
        // What was deleted is not deleted again by a word on what counts.
        onClick={() => change(!isCounted, state === 'removed' ? undefined : () => change(isCounted))}
      >
        {isCounted ? t`Do not count it` : countIt()}
        <Hidden>
          : {activityType}, {when}
        </Hidden>
      </Button>
    </div>
  );
}
