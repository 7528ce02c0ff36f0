import type { ChallengeTemplate } from '@caravan/contracts/http/challenges';
import { useLingui } from '@lingui/react/macro';

/** Units and kinds of challenges as people read them. */
export function useWords() {
  const { t } = useLingui();
  const units: Record<ChallengeTemplate['targetUnit'], string> = {
    miles: t`miles`,
    days: t`days`,
    activities: t`activities`,
    minutes: t`minutes`,
  };
  const types: Record<ChallengeTemplate['challengeType'], string> = {
    individual: t`each member`,
    team: t`the team together`,
  };
  return { units, types };
}
