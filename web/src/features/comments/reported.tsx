import type { Comment, CommentReport, ConcealedComment } from '@caravan/contracts/http/comments';
import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ArrowLeft, EyeOff } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Avatar } from '../../ui/avatar.tsx';
import { Button } from '../../ui/button.tsx';
import { Card, Page, Stack } from '../../ui/page.tsx';
import { Loading, Skeleton } from '../../ui/skeleton.tsx';
import { EmptyState, ErrorState } from '../../ui/states.tsx';
import { PersonName, RelativeTime } from '../../ui/text.tsx';
import { hiddenQuery, reportedQuery, useDismiss, useShow } from './api.ts';
import { CommentDialog, useOutcome } from './comment-dialogs.tsx';
import styles from './comments.module.css';

/** What members have reported, with their reasons and without who they are, and what admins have hidden. */
export function ReportedComments() {
  const { t } = useLingui();
  const reported = useQuery(reportedQuery);
  const hidden = useQuery(hiddenQuery);
  usePlace((reported.data?.length ?? 0) + (hidden.data?.length ?? 0));
  return (
    <Page
      title={t`Reported comments`}
      width="text"
      lead={t`A hidden comment is seen by its author and by admins only, with the reason you give.`}
      aside={
        <Button asChild variant="quiet" size="small">
          <Link to="/admin">
            <ArrowLeft size={18} aria-hidden="true" />
            {t`Back`}
          </Link>
        </Button>
      }
    >
      <Loading isLoading={reported.isPending} skeleton={<Skeleton height={160} />}>
        {() => (
          <Stack>
            <Card>
              {reported.data?.length === 0 && (
                <EmptyState title={t`Nothing is reported`} hint={t`People are kind to each other.`} />
              )}
              {!reported.data && (
                <ErrorState
                  title={t`The reports could not be loaded`}
                  hint={t`Please try again later.`}
                  onRetry={() => void reported.refetch()}
                />
              )}
              <ul className={styles.reports}>
                {reported.data?.map((report) => (
                  <Report key={report.comment.id} report={report} />
                ))}
              </ul>
            </Card>
            {(hidden.isError || (hidden.data ?? []).length > 0) && (
              <Card title={t`Hidden comments`}>
                {!hidden.data && (
                  <ErrorState
                    title={t`The hidden comments could not be loaded`}
                    hint={t`Please try again later.`}
                    onRetry={() => void hidden.refetch()}
                  />
                )}
                <ul className={styles.reports}>
                  {hidden.data?.map((one) => (
                    <Hidden key={one.comment.id} hidden={one} />
                  ))}
                </ul>
              </Card>
            )}
          </Stack>
        )}
      </Loading>
    </Page>
  );
}

/** Whoever has decided goes on from the top: the button went with the comment. */
function usePlace(comments: number): void {
  const before = useRef(comments);
  useEffect(() => {
    if (comments < before.current && document.activeElement === document.body) document.querySelector('h1')?.focus();
    before.current = comments;
  }, [comments]);
}

function Report({ report: { entryId, comment, reports } }: { report: CommentReport }) {
  const { t } = useLingui();
  const [isHiding, setHiding] = useState(false);
  const { name } = comment.user;
  const outcome = useOutcome(() => undefined)(t`Reports dismissed`, t`The reports were not dismissed`);
  const dismiss = useDismiss(comment.id, outcome);
  return (
    <Said comment={comment}>
      <ul className={styles.reasons} aria-label={t`Reasons`}>
        {reports.map(({ reason, reportedAt }) => (
          <li key={reportedAt}>
            {reason}&nbsp;· <RelativeTime at={reportedAt} />
          </li>
        ))}
      </ul>
      <p className={styles.decisions}>
        <Button variant="quiet" size="small" aria-label={t`Hide ${name}'s comment`} onClick={() => setHiding(true)}>
          {t`Hide`}
        </Button>
        <Button
          variant="plain"
          size="small"
          aria-label={t`Dismiss the reports of ${name}'s comment`}
          isBusy={dismiss.isPending}
          onClick={() => dismiss.mutate()}
        >
          {t`Dismiss`}
        </Button>
      </p>
      {isHiding && <CommentDialog act="hide" entryId={entryId} comment={comment} onClose={() => setHiding(false)} />}
    </Said>
  );
}

function Hidden({ hidden: { comment, reason, hiddenAt } }: { hidden: ConcealedComment }) {
  const { t } = useLingui();
  const { name } = comment.user;
  const outcome = useOutcome(() => undefined)(t`Comment shown again`, t`The comment was not shown`);
  const show = useShow(comment.id, outcome);
  return (
    <Said comment={comment}>
      <p className={styles.reason}>
        <EyeOff size={16} aria-hidden="true" />
        <span>
          {reason === '' ? t`Hidden` : <Trans>Hidden: {reason}</Trans>}&nbsp;· <RelativeTime at={hiddenAt} />
        </span>
      </p>
      <p className={styles.decisions}>
        <Button
          variant="quiet"
          size="small"
          aria-label={t`Show ${name}'s comment again`}
          isBusy={show.isPending}
          onClick={() => show.mutate()}
        >
          {t`Show again`}
        </Button>
      </p>
    </Said>
  );
}

const Said = ({ comment: { user, createdAt, text }, children }: { comment: Comment; children: ReactNode }) => (
  <li className={styles.comment}>
    <Avatar name={user.name} photoUrl={user.avatar} />
    <div className={styles.said}>
      <p className={styles.who}>
        <b>
          <PersonName profileId={user.profileId} name={user.name} />
        </b>
        <RelativeTime at={createdAt} />
      </p>
      <p className={styles.text} dir="auto">
        {text}
      </p>
      {children}
    </div>
  </li>
);
