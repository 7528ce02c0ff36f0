import { useLingui } from '@lingui/react/macro';
import { Flame, Milestone, Sparkles } from 'lucide-react';
import { Card } from '../../ui/card.tsx';
import styles from './gallery.module.css';

/** How to come by the next one (2.98). */
export function Tips() {
  const { t } = useLingui();
  const tips = [
    { icon: Milestone, name: t`Milestones`, text: t`Every mile counts. Ten minutes of any movement are one.` },
    { icon: Flame, name: t`Streaks`, text: t`One log a day keeps the flame lit; a short walk is enough.` },
    { icon: Sparkles, name: t`Activity`, text: t`Try something new, show a photo, take on a challenge.` },
  ];
  return (
    <Card title={t`How to earn the next one`}>
      <dl className={styles.tips}>
        {tips.map(({ icon: Icon, name, text }) => (
          <div key={name}>
            <dt>
              <Icon size={20} aria-hidden="true" />
              {name}
            </dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}
