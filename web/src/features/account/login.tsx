import { Trans, useLingui } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import { Mail } from 'lucide-react';
import { Suspense, useState } from 'react';
import { lazyPart } from '../../lib/lazy-part.ts';
import { Button } from '../../ui/button.tsx';
import { NarrowCard } from '../../ui/narrow-card.tsx';
import styles from './account.module.css';
import { SocialButtons } from './providers.tsx';

const fetchForm = () => import('./login-form.tsx');
// The ways to sign in stand first; the form with its rules comes when one reaches for it.
const LoginForm = lazyPart(async () => (await fetchForm()).LoginForm);

export function Login() {
  const { t } = useLingui();
  const [isByEmail, setByEmail] = useState(false);
  return (
    <NarrowCard title={t`Welcome back`} lead={t`Your team is already on its way.`} hasTerms>
      {isByEmail ? (
        <Suspense fallback={<div className={styles.waiting} />}>
          <LoginForm onBack={() => setByEmail(false)} />
        </Suspense>
      ) : (
        <Ways onEmail={() => setByEmail(true)} />
      )}
      <p className={styles.other}>
        <Trans>
          Don't have an account? <Link to="/signup">Create one</Link>
        </Trans>
      </p>
    </NarrowCard>
  );
}

function Ways({ onEmail }: { onEmail: () => void }) {
  const { t } = useLingui();
  return (
    <div className={styles.stack}>
      <Button
        isWide
        onClick={onEmail}
        onPointerEnter={() => void fetchForm()}
        onFocus={() => void fetchForm()}
        onTouchStart={() => void fetchForm()}
      >
        <Mail size={20} aria-hidden="true" />
        {t`Continue with Email`}
      </Button>
      <SocialButtons />
    </div>
  );
}
