import type { NameOptions } from '@caravan/contracts/http/ballots';
import { plural } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { Award } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { formatPercent } from '../../lib/format.ts';
import { Tag } from '../../ui/button.tsx';
import { Meter } from '../../ui/meter.tsx';
import styles from './team-voting.module.css';

/** The tally, for those who have voted and for everybody once it is decided (D53). */
export function Results({
  ballot: { nameOptions, chosenName, result },
  isDecided,
  isFresh,
}: {
  ballot: NameOptions;
  isDecided: boolean;
  /** They stand where the reader has just voted: the button that was pressed is gone. */
  isFresh: boolean;
}) {
  const { t } = useLingui();
  const section = useRef<HTMLElement>(null);
  useEffect(() => {
    if (isFresh && document.activeElement === document.body) section.current?.focus({ preventScroll: true });
  }, [isFresh]);
  const all = nameOptions.reduce((sum, { votes }) => sum + votes, 0);
  const ranked = nameOptions.toSorted((one, other) => other.votes - one.votes);
  return (
    <section ref={section} aria-label={t`Results`} tabIndex={-1} className={styles.told}>
      <ul className={styles.results}>
        {ranked.map(({ name, votes }) => {
          const share = all === 0 ? 0 : votes / all;
          const told = plural(votes, { one: '# vote', other: '# votes' });
          const percent = formatPercent(share);
          return (
            <li key={name}>
              <div className={styles.line}>
                <b>
                  {isDecided && result?.name === name && <Award size={18} aria-hidden="true" />}
                  <bdi>{name}</bdi>
                </b>
                {name === chosenName && <Tag tone="brand">{t`Your vote`}</Tag>}
                <span className={styles.votes}>
                  {told}&nbsp;· {percent}
                </span>
              </div>
              <Meter
                label={name}
                share={share}
                valueText={`${told}, ${percent}`}
                tone={result?.name === name ? 'good' : 'brand'}
              />
            </li>
          );
        })}
      </ul>
      <p className={styles.hint}>{plural(all, { one: '# vote in total', other: '# votes in total' })}</p>
    </section>
  );
}
