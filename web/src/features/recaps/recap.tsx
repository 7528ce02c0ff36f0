import type { Recap as RecapAnswer } from '@caravan/contracts/http/recaps';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ArrowLeft, ArrowRight } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { HttpError } from '../../lib/http-error.ts';
import { meQuery } from '../../lib/me.ts';
import { useDistance } from '../../lib/units.ts';
import { BackLink } from '../../ui/back-link.tsx';
import { Button } from '../../ui/button.tsx';
import { Card, Columns, Page } from '../../ui/page.tsx';
import { Loading, Skeleton } from '../../ui/skeleton.tsx';
import { EmptyState, ErrorState } from '../../ui/states.tsx';
import { recapQuery, useEngage } from './api.ts';
import { Effect } from './effect.tsx';
import { Engagement } from './engagement.tsx';
import { FeaturedPhoto, Happened, Improved, Quote, TopTeams } from './parts.tsx';
import styles from './recaps.module.css';
import { Share } from './share.tsx';
import { weekName } from './words.ts';

const notFound = 404;

/** The story of a week: how far together, who carried it, what happened on the way; and what one makes of it (D28). */
export function Recap({ week }: { week: string }) {
  const { t } = useLingui();
  const { data: recap, error, isPending, refetch } = useQuery(recapQuery(week));
  const isGone = error instanceof HttpError && error.status === notFound;
  const heading = recap ? weekName(recap) : t`Weekly recap`;
  return (
    <Page title={heading} lead={recap && t`Our week`} before={<BackLink to="/recaps" />}>
      <Loading isLoading={isPending} skeleton={<StorySkeleton />}>
        {() =>
          recap ? (
            <Story recap={recap} />
          ) : (
            <Card>
              {isGone ? (
                <EmptyState title={t`No recap of that week`} hint={t`A recap is here on the Monday after its week.`} />
              ) : (
                <ErrorState title={t`The recap could not be loaded`} onRetry={() => void refetch()} />
              )}
            </Card>
          )
        }
      </Loading>
    </Page>
  );
}

function Story({ recap }: { recap: RecapAnswer }) {
  const { data: me } = useQuery(meQuery);
  useSeen(recap);
  return (
    <>
      <Columns
        main={
          <>
            <Hero recap={recap} />
            <TopTeams recap={recap} />
            <Quote recap={recap} />
            <FeaturedPhoto recap={recap} />
            <Engagement recap={recap} />
          </>
        }
        side={
          <>
            <Happened recap={recap} />
            <Improved recap={recap} />
            <Share recap={recap} />
            {me?.role === 'admin' && <Effect id={recap.id} />}
          </>
        }
      />
      <Beside recap={recap} />
    </>
  );
}

/** Says once that one has been here. */
function useSeen(recap: RecapAnswer): void {
  const { mutate } = useEngage(recap);
  const said = useRef('');
  const isNew = recap.engagement.viewedAt === null;
  useEffect(() => {
    if (!isNew || said.current === recap.id) return;
    said.current = recap.id;
    mutate({});
  }, [isNew, recap.id, mutate]);
}

function Hero({ recap: { totalMiles, previousMiles, memberCount, own } }: { recap: RecapAnswer }) {
  const { figure, long } = useDistance();
  const mine = figure(own.miles);
  return (
    <Card tone="brand" className={styles.hero}>
      <p className={styles.total}>
        <span className={styles.figure}>{figure(totalMiles)}</span> {long}
      </p>
      <p>
        <Plural value={memberCount} _0="Nobody moved this week" one="# person moved" other="# people moved" />
        <Change miles={totalMiles} before={previousMiles} />
      </p>
      {own.miles > 0 && (
        <p className={styles.own}>
          <Trans>
            {mine} {long} of them are yours
          </Trans>
          <Change miles={own.miles} before={own.previousMiles} />
        </p>
      )}
    </Card>
  );
}

/** Behind a sentence: how it compares with the week before. */
function Change({ miles, before }: { miles: number; before: number }): ReactNode {
  const { figure, long } = useDistance();
  const change = Math.round((miles - before) * 10) / 10;
  if (before === 0 || change === 0) return '.';
  const difference = figure(Math.abs(change));
  return change > 0 ? (
    <Trans>
      , {difference} {long} more than the week before.
    </Trans>
  ) : (
    <Trans>
      , {difference} {long} fewer than the week before.
    </Trans>
  );
}

function Beside({ recap: { previousWeek, nextWeek } }: { recap: RecapAnswer }) {
  const { t } = useLingui();
  if (previousWeek === null && nextWeek === null) return null;
  return (
    <nav className={styles.beside} aria-label={t`Other weeks`}>
      {previousWeek !== null && (
        <Button asChild variant="quiet" size="small">
          <Link to="/recaps/$week" params={{ week: previousWeek }}>
            <ArrowLeft size={18} aria-hidden="true" />
            {t`The week before`}
          </Link>
        </Button>
      )}
      {nextWeek !== null && (
        <Button asChild variant="quiet" size="small">
          <Link to="/recaps/$week" params={{ week: nextWeek }}>
            {t`The week after`}
            <ArrowRight size={18} aria-hidden="true" />
          </Link>
        </Button>
      )}
    </nav>
  );
}

const StorySkeleton = () => (
  <Columns
    main={
      <Card className={styles.waiting}>
        <Skeleton width="60%" height={64} />
        <Skeleton width="80%" height={18} />
        <Skeleton height={120} />
      </Card>
    }
    side={
      <Card className={styles.waiting}>
        <Skeleton width="50%" height={20} />
        <Skeleton height={80} />
      </Card>
    }
  />
);
