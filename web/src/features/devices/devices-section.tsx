import { useLingui } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import { History } from 'lucide-react';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/page.tsx';
import type { DevicesSearch } from './device.ts';
import { Devices } from './devices.tsx';
import styles from './devices.module.css';

/** On the settings screen: connect, disconnect, and choose what counts. Each acts at once, without saving (D24). */
export function DevicesSection({ search }: { search: DevicesSearch }) {
  const { t } = useLingui();
  return (
    <Card title={t`Fitness Devices`} anchor="fitness-devices">
      <p className={styles.lead}>{t`What you change here holds at once.`}</p>
      <Devices place="settings" search={search} />
      <Button asChild variant="quiet" size="small" className={styles.toWorkouts}>
        <Link to="/settings/workouts">
          <History size={18} aria-hidden="true" />
          {t`Imported workouts`}
        </Link>
      </Button>
    </Card>
  );
}
