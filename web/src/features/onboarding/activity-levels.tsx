import type { ActivityLevel } from '@caravan/contracts/fields';
import { useLingui } from '@lingui/react/macro';
import { RadioGroup } from 'radix-ui';
import { levelDrawings } from '../../ui/activity-drawings.ts';
import { Draw } from '../../ui/drawing.tsx';
import styles from './onboarding.module.css';
import { StepHeading } from './step-heading.tsx';

export function ActivityLevels({
  chosen,
  onChoose,
}: {
  chosen: ActivityLevel | null;
  onChoose: (level: ActivityLevel) => void;
}) {
  const { t } = useLingui();
  const levels: { level: ActivityLevel; text: string }[] = [
    { level: 'none', text: t`Not active at all` },
    { level: 'light', text: t`I try to move when I can` },
    { level: 'moderate', text: t`I'm fairly consistent` },
    { level: 'active', text: t`I work out regularly` },
  ];
  return (
    <>
      <StepHeading>{t`How active are you?`}</StepHeading>
      <RadioGroup.Root
        className={styles.levels}
        aria-label={t`Activity level`}
        value={chosen ?? ''}
        onValueChange={(level) => onChoose(level as ActivityLevel)}
      >
        {levels.map(({ level, text }) => (
          <RadioGroup.Item key={level} value={level} className={styles.level} aria-label={text}>
            <Draw drawing={levelDrawings[level]} size={32} />
            {text}
          </RadioGroup.Item>
        ))}
      </RadioGroup.Root>
    </>
  );
}
