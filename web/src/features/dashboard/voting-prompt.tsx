import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Vote } from 'lucide-react';
import { meQuery } from '../../lib/me.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import styles from './voting-prompt.module.css';

/** Opens while one's vote in the team's ballot is missing (2.63); it asks without standing in the way. */
export function VotingPrompt() {
  const { data: me } = useQuery(meQuery);
  return me && !me.hasVotedThisChallenge ? <Prompt teamName={me.team.name} /> : null;
}

function Prompt({ teamName }: { teamName: string }) {
  const { t } = useLingui();
  return (
    <Card
      className={styles.card}
      title={
        <span className={styles.title}>
          <Vote size={22} aria-hidden="true" />
          {t`Your team is choosing its name`}
        </span>
      }
    >
      <p className={styles.text}>
        <Trans>What should {teamName} be called? Your vote is still missing.</Trans>
      </p>
      <Button asChild variant="quiet" size="small">
        <Link to="/team-voting">{t`Vote now`}</Link>
      </Button>
    </Card>
  );
}
