import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Megaphone } from 'lucide-react';
import { countdownTo } from '../../lib/countdown.ts';
import { meQuery } from '../../lib/me.ts';
import { useNow } from '../../lib/now.ts';
import { storageKeys } from '../../lib/storage-keys.ts';
import { createStorageStore } from '../../lib/store.ts';
import { Button } from '../../ui/button.tsx';
import { PromptCard } from '../../ui/prompt-card.tsx';
import { nameOptionsQuery } from './api.ts';
import styles from './team-voting.module.css';

const store = createStorageStore();
const dismissedBallot = () => localStorage.getItem(storageKeys.dismissedBallot);

/** Opens on the dashboard while one's vote in the team's ballot is missing (2.63, 4.23), until it is put away. */
export function VotingPrompt() {
  const { data: me } = useQuery(meQuery);
  return me && !me.hasVotedThisChallenge ? <Prompt team={me.team} /> : null;
}

function Prompt({ team: { id, name } }: { team: { id: string; name: string } }) {
  const { t } = useLingui();
  const now = useNow();
  const { data: ballot } = useQuery({ ...nameOptionsQuery(id), enabled: id !== '' });
  const dismissed = store.use(dismissedBallot);
  const key = ballot ? ballot.ballotId || ballot.votingPeriod.endsAt : null;
  // Put away is put away for this ballot; before it is known which one is open, it may still be the same.
  if (dismissed !== null && (key === null || key === dismissed)) return null;
  const countdown = ballot ? countdownTo(ballot.votingPeriod.endsAt, now) : undefined;
  if (countdown === null) return null;
  const dismiss = () => {
    localStorage.setItem(storageKeys.dismissedBallot, key ?? '');
    store.tell();
  };
  return (
    <PromptCard
      icon={<Megaphone size={22} aria-hidden="true" />}
      title={t`Your team is choosing its name`}
      text={
        <>
          <Trans>What should {name} be called? Your vote is still missing.</Trans>
          {/* The line stands before its text is known: nothing below is pushed away. */}
          <span className={styles.left}>{countdown !== undefined && <Trans>{countdown} left to vote</Trans>}</span>
        </>
      }
      onDismiss={dismiss}
    >
      <Button asChild variant="quiet" size="small">
        <Link to="/team-voting">{t`Vote now`}</Link>
      </Button>
    </PromptCard>
  );
}
