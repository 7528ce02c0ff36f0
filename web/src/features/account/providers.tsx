import { Trans, useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { toast } from '../../ui/toast-state.ts';
import { Button } from '../../ui/button.tsx';
import { Hidden } from '../../ui/text.tsx';
import styles from './account.module.css';

const marks: Record<string, ReactNode> = {
  Apple: (
    <path
      fill="currentColor"
      d="M16.7 12.6c0-2.3 1.9-3.4 2-3.5-1.1-1.6-2.8-1.8-3.4-1.8-1.4-.2-2.8.8-3.5.8s-1.9-.8-3.1-.8c-1.6 0-3 .9-3.9 2.3-1.6 2.9-.4 7.1 1.2 9.4.8 1.1 1.7 2.4 2.9 2.3 1.2 0 1.6-.7 3-.7s1.8.7 3.1.7c1.2 0 2.1-1.1 2.8-2.3.9-1.3 1.3-2.6 1.3-2.6s-2.4-.9-2.4-3.8zM14.5 5.8c.6-.8 1-1.9.9-2.9-.9 0-2 .6-2.7 1.4-.6.7-1.1 1.8-1 2.8 1 .1 2.1-.5 2.8-1.3z"
    />
  ),
  Google: (
    <>
      <path
        fill="#4285f4"
        d="M21.6 12.2c0-.7-.1-1.3-.2-1.9H12v3.7h5.4a4.6 4.6 0 0 1-2 3v2.5h3.2c1.9-1.8 3-4.3 3-7.3z"
      />
      <path
        fill="#34a853"
        d="M12 22c2.7 0 5-.9 6.6-2.4l-3.2-2.5c-.9.6-2 1-3.4 1-2.6 0-4.8-1.8-5.6-4.1H3.1v2.6A10 10 0 0 0 12 22z"
      />
      <path fill="#fbbc05" d="M6.4 14a6 6 0 0 1 0-3.9V7.5H3.1a10 10 0 0 0 0 9z" />
      <path fill="#ea4335" d="M12 6c1.5 0 2.8.5 3.8 1.5l2.9-2.8A10 10 0 0 0 3.1 7.5l3.3 2.6C7.2 7.7 9.4 6 12 6z" />
    </>
  ),
  Facebook: (
    <path
      fill="#1877f2"
      d="M22 12a10 10 0 1 0-11.6 9.9v-7H7.9V12h2.5V9.8c0-2.5 1.5-3.9 3.8-3.9 1.1 0 2.2.2 2.2.2v2.5h-1.3c-1.2 0-1.6.8-1.6 1.6V12h2.8l-.4 2.9h-2.3v7A10 10 0 0 0 22 12z"
    />
  ),
};

/** Sign-in of others: announced, not there yet (D36). */
export function SocialButtons() {
  const { t } = useLingui();
  const comingSoon = useComingSoon();
  return (
    <div className={styles.social}>
      {['Apple', 'Google', 'Facebook'].map((provider) => (
        <Button key={provider} variant="quiet" isWide onClick={() => comingSoon(t`${provider} Sign-In`)}>
          <svg viewBox="0 0 24 24" width={20} height={20} aria-hidden="true">
            {marks[provider]}
          </svg>
          <Trans>
            <Hidden>Continue with</Hidden> {provider}
          </Trans>
        </Button>
      ))}
    </div>
  );
}

export function FitnessPlatforms() {
  const { t } = useLingui();
  const comingSoon = useComingSoon();
  return (
    <section className={styles.platforms} aria-labelledby="platforms">
      <h2 id="platforms">{t`Connect with fitness platforms`}</h2>
      <div className={styles.row}>
        {['Strava', 'Garmin', 'AllTrails'].map((platform) => (
          <Button key={platform} variant="quiet" size="small" onClick={() => comingSoon(t`${platform} Sign-In`)}>
            {platform}
          </Button>
        ))}
      </div>
    </section>
  );
}

function useComingSoon() {
  const { t } = useLingui();
  return (what: string) =>
    toast({ title: t`Coming Soon`, description: t`${what} will be available in a future update.` });
}
