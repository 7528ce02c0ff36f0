import { useId, type ReactNode } from 'react';
import styles from './switch.module.css';

/** Something that is on or off, with what that means in a sentence. The whole row can be pressed. */
export function Switch({
  label,
  hint,
  isOn,
  onChange,
}: {
  label: ReactNode;
  hint?: ReactNode;
  isOn: boolean;
  onChange: (isOn: boolean) => void;
}) {
  const id = useId();
  return (
    <div className={styles.row}>
      <div className={styles.text}>
        <label htmlFor={id}>{label}</label>
        {hint && <p id={`${id}-hint`}>{hint}</p>}
      </div>
      <button
        id={id}
        type="button"
        role="switch"
        className={styles.switch}
        aria-checked={isOn}
        aria-describedby={hint ? `${id}-hint` : undefined}
        onClick={() => onChange(!isOn)}
      >
        <span className={styles.thumb} />
      </button>
    </div>
  );
}
