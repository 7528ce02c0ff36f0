import { Trans, useLingui } from '@lingui/react/macro';
import { Award } from 'lucide-react';
import { drawnBadge } from '../../ui/badge-drawings.ts';
import { Card } from '../../ui/card.tsx';
import { Tag } from '../../ui/chip.tsx';
import { Draw } from '../../ui/drawing.tsx';
import styles from './people.module.css';

/** The badges somebody has earned, by name. @param owner whose they are; null: one's own */
export function Badges({
  names,
  owner,
  isHidden,
}: {
  names: readonly string[];
  owner: string | null;
  isHidden: boolean;
}) {
  const { t } = useLingui();
  const [first = ''] = (owner ?? '').split(' ');
  // Who hides their numbers hides their badges too.
  if (isHidden) return null;
  return (
    <Card title={t`Badges`}>
      {names.length === 0 ? (
        <p className={styles.none}>
          {owner === null ? (
            <Trans>None yet. The first one waits on the way.</Trans>
          ) : (
            <Trans>{first} has not earned one yet.</Trans>
          )}
        </p>
      ) : (
        <ul className={styles.badges}>
          {names.map((name) => (
            <li key={name}>
              <Tag>
                <Sign badgeName={name} />
                {name}
              </Tag>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

function Sign({ badgeName }: { badgeName: string }) {
  const drawn = drawnBadge({ badgeName });
  return drawn ? <Draw drawing={drawn.drawing} size={20} /> : <Award size={16} aria-hidden="true" />;
}
