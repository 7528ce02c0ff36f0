import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { Tag } from '../../ui/chip.tsx';
import { isDoubled, type Purpose } from './run.ts';
import styles from './timer.module.css';

/** Says that this run doubles its miles, or why it does not (4.29). */
export function BonusMark({ purpose }: { purpose: Purpose }) {
  const { t } = useLingui();
  if (!purpose.bonus) return null;
  const { activity } = purpose.bonus;
  if (!isDoubled(purpose)) return <Tag>{t`The bonus challenge counts for ${activity} only`}</Tag>;
  return (
    <p className={styles.bonus}>
      <b className={styles.double}>x2</b> {t`Bonus challenge: miles count double`}
    </p>
  );
}

const refusals: Record<string, MessageDescriptor> = {
  'bonus/closed': msg`The bonus challenge had already ended, so your miles count once.`,
  'bonus/other-activity': msg`The bonus challenge was for another activity, so your miles count once.`,
  'bonus/too-short': msg`That was too short for the bonus challenge, so your miles count once.`,
  'bonus/already-completed': msg`You had completed the bonus challenge before, so your miles count once.`,
};

const unknown = msg`The bonus challenge could not be found, so your miles count once.`;

/** Why a bonus that was named did not apply, in words (D15, D40). @param code of the answer's `bonusReason` */
export const bonusRefusal = (code: string): MessageDescriptor => refusals[code] ?? unknown;
