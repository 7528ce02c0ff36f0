import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { Flame, Milestone, Sparkles } from 'lucide-react';
import { meQuery } from '../../lib/me.ts';
import { Card } from '../../ui/card.tsx';
import styles from './gallery.module.css';

/** How to come by the next one (2.94). */
export function Tips() {
  const { t } = useLingui();
  const { data: me } = useQuery(meQuery);
  // Null where the organisation does without (D11).
  const freezes = me?.streakFreezes ?? null;
  const tips = [
    { icon: Milestone, name: t`Milestones`, text: t`Every mile counts. Ten minutes of any movement are one.` },
    {
      ...{ icon: Flame, name: t`Streaks` },
      text:
        freezes === null
          ? t`One log a day keeps the flame lit; a short walk is enough.`
          : t`One log a day keeps the flame lit; on a day off a freeze holds it. You have ${freezes} of 2.`,
    },
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
