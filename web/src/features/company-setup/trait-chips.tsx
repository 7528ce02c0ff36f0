import { useLingui } from '@lingui/react/macro';
import { Card } from '../../ui/card.tsx';
import { Chip } from '../../ui/chip.tsx';
import styles from './company-setup.module.css';
import { Refusal } from './refusal.tsx';
import { traits, withTrait, type Trait } from './setup.ts';

export function TraitChips({
  chosen,
  error,
  onChange,
}: {
  chosen: readonly Trait[];
  error: string | undefined;
  onChange: (chosen: readonly Trait[]) => void;
}) {
  const { t, i18n } = useLingui();
  return (
    <Card title={t`Brand traits`} className={styles.card} aside={t`${chosen.length} of 3`}>
      <p className={styles.hint}>{t`Up to three. A fourth takes the place of the oldest.`}</p>
      <div
        className={styles.chips}
        role="group"
        aria-label={t`Brand traits`}
        aria-describedby={error && 'traits-refused'}
        data-refused={error ? true : undefined}
      >
        {traits.map(({ id, name }) => (
          <Chip key={id} isPressed={chosen.includes(id)} onClick={() => onChange(withTrait(chosen, id))}>
            {i18n._(name)}
          </Chip>
        ))}
      </div>
      <Refusal id="traits-refused">{error}</Refusal>
    </Card>
  );
}
