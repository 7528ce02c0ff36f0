import { passwordCriteria, passwordStrength } from '@caravan/contracts/domain/text/password';
import { useLingui } from '@lingui/react/macro';
import { Check, Circle, Eye, EyeOff } from 'lucide-react';
import { type ComponentProps, useState } from 'react';
import { TextField } from './field.tsx';
import { Meter } from './meter.tsx';
import styles from './password-field.module.css';
import { Hidden } from './text.tsx';

/** A password with an eye to look at what one typed. */
export function PasswordField(props: ComponentProps<typeof TextField>) {
  const { t } = useLingui();
  const [isShown, setShown] = useState(false);
  const Icon = isShown ? EyeOff : Eye;
  return (
    <TextField
      {...props}
      type={isShown ? 'text' : 'password'}
      end={
        <button
          type="button"
          className={styles.eye}
          aria-label={isShown ? t`Hide password` : t`Show password`}
          onClick={() => setShown(!isShown)}
        >
          <Icon size={20} aria-hidden="true" />
        </button>
      }
    />
  );
}

const tones = { Weak: 'danger', Medium: 'warn', Strong: 'good' } as const;

/** Which of the five criteria hold, and what that makes of the password (5.1). */
export function StrengthMeter({ password }: { password: string }) {
  const { t } = useLingui();
  const { label, share } = passwordStrength(password);
  const words = { Weak: t`Weak`, Medium: t`Medium`, Strong: t`Strong` }[label];
  const criteria = {
    length: t`At least 8 characters`,
    lowercase: t`One lowercase letter`,
    uppercase: t`One uppercase letter`,
    number: t`One number`,
    special: t`One special character`,
  };
  return (
    <div className={styles.strength}>
      <div className={styles.strengthHead}>
        <Meter label={t`Password strength`} share={share} valueText={words} tone={tones[label]} />
        <span aria-live="polite">{password === '' ? '' : words}</span>
      </div>
      <ul className={styles.criteria}>
        {passwordCriteria.map(({ id, holds }) => {
          const isMet = holds(password);
          const Icon = isMet ? Check : Circle;
          return (
            <li key={id} data-met={isMet}>
              <Icon size={16} strokeWidth={isMet ? 3 : 2} aria-hidden="true" />
              <span>
                {criteria[id]}
                {isMet && <Hidden> {t`(met)`}</Hidden>}
              </span>
            </li>
          );
        })}
      </ul>
    </div>
  );
}
