import type { SignupAnswer } from '@caravan/contracts/http/accounts';
import { Trans, useLingui } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import { Mail } from 'lucide-react';
import { Suspense, useState } from 'react';
import { lazyPart } from '../../lib/lazy-part.ts';
import { Button } from '../../ui/button.tsx';
import { NarrowCard } from '../../ui/narrow-card.tsx';
import styles from './account.module.css';
import { FitnessPlatforms, SocialButtons } from './providers.tsx';

const fetchForm = () => import('./signup-form.tsx');
const SignupForm = lazyPart(async () => (await fetchForm()).SignupForm);

type SignupProps = {
  /** From the link `/signup?invite=CODE` (D1). */
  invite: string | undefined;
  onSignedUp: (answer: SignupAnswer) => void;
};

export function Signup({ invite, onSignedUp }: SignupProps) {
  const { t } = useLingui();
  const [isByEmail, setByEmail] = useState(invite !== undefined);
  return (
    <NarrowCard
      title={t`Join the caravan`}
      lead={t`Ten minutes of anything that moves you are a mile for your team.`}
      hasTerms
    >
      {isByEmail ? (
        <Suspense fallback={<div className={styles.waiting} />}>
          <SignupForm invite={invite} onSignedUp={onSignedUp} onBack={() => setByEmail(false)} />
        </Suspense>
      ) : (
        <div className={styles.stack}>
          <Button
            isWide
            onClick={() => setByEmail(true)}
            onPointerEnter={() => void fetchForm()}
            onFocus={() => void fetchForm()}
            onTouchStart={() => void fetchForm()}
          >
            <Mail size={20} aria-hidden="true" />
            {t`Continue with Email`}
          </Button>
          <SocialButtons />
          <FitnessPlatforms />
        </div>
      )}
      <p className={styles.other}>
        <Trans>
          Already have an account? <Link to="/login">Sign in</Link>
        </Trans>
      </p>
    </NarrowCard>
  );
}
