import type { NameOptions } from '@caravan/contracts/http/ballots';
import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { LockKeyhole, Sparkles } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { HttpError } from '../../lib/http-error.ts';
import { meQuery } from '../../lib/me.ts';
import { useNow } from '../../lib/now.ts';
import { Button } from '../../ui/button.tsx';
import { Card, Page, Stack } from '../../ui/page.tsx';
import { Loading, Skeleton } from '../../ui/skeleton.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { nameOptionsQuery } from './api.ts';
import { countdownTo } from '../../lib/countdown.ts';
import { Results } from './results.tsx';
import styles from './team-voting.module.css';
import { VoteForm } from './vote-form.tsx';

const notFound = 404;

/** What could not be asked for can be asked for again. */
const retryOf = ({ isError, refetch }: Pick<UseQueryResult, 'isError' | 'refetch'>) =>
  isError ? () => void refetch() : undefined;

type Team = { id: string; name: string; emoji: string };

/** The ballot on the own team's name: to vote in, sealed until one has, and how it ended (4.33, D20). */
export function TeamVoting() {
  const { t } = useLingui();
  const me = useQuery(meQuery);
  const team = me.data?.team;
  const ballot = useQuery({ ...nameOptionsQuery(team?.id ?? ''), enabled: Boolean(team?.id) });
  const isGone = ballot.error instanceof HttpError && ballot.error.status === notFound;
  // What was open may be over by now; what merely could not be asked for again stays in sight.
  const shown = isGone || ballot.data?.nameOptions.length === 0 ? undefined : ballot.data;
  const isLoading = me.isPending || (Boolean(team?.id) && ballot.isPending);
  return (
    <Page title={t`Team Voting`} width="text">
      <Loading isLoading={isLoading} skeleton={<VotingSkeleton />}>
        {() =>
          team && shown ? (
            <Ballot team={team} ballot={shown} />
          ) : (
            <NoVoting onRetry={retryOf(me) ?? (isGone ? undefined : retryOf(ballot))} />
          )
        }
      </Loading>
    </Page>
  );
}

function Ballot({ team, ballot }: { team: Team; ballot: NameOptions }) {
  const { t } = useLingui();
  const countdown = countdownTo(ballot.votingPeriod.endsAt, useNow());
  const isOver = ballot.state !== 'open' || countdown === null;
  const isDecided = ballot.state === 'decided';
  const { name } = team;
  const [hadVoted] = useState(ballot.hasVoted);
  const hasResults = ballot.hasVoted || isDecided;
  return (
    <Stack>
      {isDecided && <Outcome ballot={ballot} team={team} />}
      <Card
        title={
          <span className={styles.title}>
            <span aria-hidden="true">{team.emoji}</span>
            {isDecided ? t`How ${name} voted` : t`What should ${name} be called?`}
          </span>
        }
      >
        <p className={styles.countdown}>
          {isOver && <LockKeyhole size={16} aria-hidden="true" />}
          {isOver ? t`Voting closed` : <Trans>{countdown} left to vote</Trans>}
        </p>
        {isOver && !isDecided && (
          <p className={styles.hint}>{t`The votes are being counted. The result shows here in a moment.`}</p>
        )}
        {hasResults && <Results ballot={ballot} isDecided={isDecided} isFresh={ballot.hasVoted && !hadVoted} />}
        {!hasResults && isOver && (
          <ul className={styles.sealed}>
            {ballot.nameOptions.map((option) => (
              <li key={option.name}>
                <bdi>{option.name}</bdi>
              </li>
            ))}
          </ul>
        )}
        {!hasResults && !isOver && <VoteForm teamId={team.id} ballot={ballot} />}
      </Card>
    </Stack>
  );
}

/** The name that won, or why there is none; who was passed over is said too. */
function Outcome({ ballot: { result }, team }: { ballot: NameOptions; team: Team }) {
  const { t } = useLingui();
  const name = result?.name ?? null;
  const before = team.name;
  const passedOver = result?.passedOver ?? [];
  const taken = passedOver.join(', ');
  return (
    <Card
      tone="brand"
      title={
        <Title>{name === null ? t`The team is called ${before}, as before` : t`Your team is now called ${name}`}</Title>
      }
    >
      {passedOver.length > 0 && (
        <p className={styles.hint}>
          <Trans>{taken} had more votes, but another team took the name meanwhile.</Trans>
        </p>
      )}
      {name === null && passedOver.length === 0 && <p className={styles.hint}>{t`Nobody voted this time.`}</p>}
    </Card>
  );
}

const Title = ({ children }: { children: ReactNode }) => (
  <span className={styles.title}>
    <Sparkles size={22} aria-hidden="true" />
    {children}
  </span>
);

/** No ballot is open, or none could be asked for (4.33, 8.13). */
function NoVoting({ onRetry }: { onRetry: (() => void) | undefined }) {
  const { t } = useLingui();
  return (
    <Card>
      <EmptyState
        title={t`No Active Voting`}
        hint={t`There's no team name voting available at the moment.`}
        action={
          <div className={styles.acts}>
            <Button asChild>
              <Link to="/dashboard">{t`Back to the dashboard`}</Link>
            </Button>
            {onRetry && <Button variant="quiet" onClick={onRetry}>{t`Try again`}</Button>}
          </div>
        }
      />
    </Card>
  );
}

const VotingSkeleton = () => (
  <Card className={styles.waiting}>
    <Skeleton width="70%" height={24} />
    <Skeleton width="40%" height={16} />
    {['a', 'b', 'c', 'd'].map((key) => (
      <Skeleton key={key} height={56} />
    ))}
  </Card>
);
