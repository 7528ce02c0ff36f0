import { useLingui } from '@lingui/react/macro';
import { LogOut, Monitor, Moon, Sun } from 'lucide-react';
import type { ReactNode } from 'react';
import { logOut } from '../../lib/session.ts';
import { useSession } from '../../lib/session-state.ts';
import { chooseTheme, useTheme } from '../../lib/theme.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Page, Stack } from '../../ui/page.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import styles from './settings.module.css';

export function Settings() {
  const { t } = useLingui();
  const theme = useTheme();
  const email = useSession().user?.email ?? '';
  return (
    <Page title={t`Settings`} width="text">
      <Stack>
        <Card title={t`Appearance`}>
          <p className={styles.hint}>{t`Kept in this browser.`}</p>
          <Segmented
            label={t`Appearance`}
            value={theme}
            onChange={chooseTheme}
            options={[
              { value: 'system', label: <Choice icon={<Monitor size={18} aria-hidden="true" />} text={t`System`} /> },
              { value: 'light', label: <Choice icon={<Sun size={18} aria-hidden="true" />} text={t`Light`} /> },
              { value: 'dark', label: <Choice icon={<Moon size={18} aria-hidden="true" />} text={t`Dark`} /> },
            ]}
          />
        </Card>
        <Card title={t`Session`}>
          <p className={styles.hint}>{t`Signed in as ${email}`}</p>
          <Button variant="quiet" onClick={() => void logOut()}>
            <LogOut size={20} aria-hidden="true" />
            {t`Logout`}
          </Button>
        </Card>
      </Stack>
    </Page>
  );
}

const Choice = ({ icon, text }: { icon: ReactNode; text: string }) => (
  <>
    {icon}
    {text}
  </>
);
