import type { Ballot } from '@caravan/contracts/http/ballots';
import { isolateText } from '@caravan/contracts/domain/text/text';
import { plural } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { useEffect, useRef } from 'react';
import { countdownTo } from '../../lib/countdown.ts';
import { useDates } from '../../lib/dates.ts';
import { formatCount } from '../../lib/format.ts';
import { useNow } from '../../lib/now.ts';
import { Button, Tag } from '../../ui/button.tsx';
import { Meter } from '../../ui/meter.tsx';
import styles from './ballots.module.css';

/** A ballot with its names and turnout; how many chose a name shows once it is decided. */
export function BallotRow({ ballot, onEdit, onClose }: { ballot: Ballot; onEdit: () => void; onClose: () => void }) {
  const { t } = useLingui();
  const { team, turnout, result } = ballot;
  const voted = formatCount(turnout.voted);
  const members = formatCount(turnout.members);
  const told = t`${voted} of ${members} have voted`;
  const passedOver = result?.passedOver.join(', ') ?? '';
  const winner = result?.name ?? '';
  const isOpen = ballot.state === 'open';
  const row = useRef<HTMLLIElement>(null);
  const wasOpen = useRef(isOpen);
  useEffect(() => {
    // The button that closed it went with it.
    if (wasOpen.current && !isOpen && document.activeElement === document.body) row.current?.focus();
    wasOpen.current = isOpen;
  }, [isOpen]);
  return (
    <li ref={row} tabIndex={-1} className={styles.row}>
      <div className={styles.head}>
        <b>
          {team.emoji} <bdi>{team.name}</bdi>
        </b>
        <State ballot={ballot} />
      </div>
      <Meter label={t`Turnout`} share={turnout.members === 0 ? 0 : turnout.voted / turnout.members} valueText={told} />
      <p className={styles.told}>{told}</p>
      <ul className={styles.names}>
        {ballot.names.map(({ name, votes }) => (
          <li key={name}>
            <Tag tone={name === result?.name ? 'good' : 'plain'} className={styles.name}>
              {isolateText(name)}
              {votes !== null && `\u00a0· ${plural(votes, { one: '# vote', other: '# votes' })}`}
            </Tag>
          </li>
        ))}
      </ul>
      {result && (
        <p className={styles.told}>
          {result.name === null ? t`The team keeps its name.` : t`The team is now called ${winner}.`}{' '}
          {passedOver !== '' && <Trans>{passedOver} had more votes, but another team took the name meanwhile.</Trans>}
        </p>
      )}
      {isOpen && (
        <div className={styles.acts}>
          <Button variant="plain" size="small" aria-label={t`Edit the ballot of ${team.name}`} onClick={onEdit}>
            {t`Edit`}
          </Button>
          <Button variant="quiet" size="small" aria-label={t`Close the ballot of ${team.name}`} onClick={onClose}>
            {t`Close`}
          </Button>
        </div>
      )}
    </li>
  );
}

function State({ ballot: { state, endsAt } }: { ballot: Ballot }) {
  const { t } = useLingui();
  const countdown = countdownTo(endsAt, useNow());
  const { formatDate } = useDates();
  const date = formatDate(endsAt, { dateStyle: 'medium' });
  if (state === 'decided') return <Tag>{t`Decided ${date}`}</Tag>;
  if (state === 'closed' || countdown === null) return <Tag>{t`Voting closed`}</Tag>;
  return <Tag tone="good">{t`Open, ${countdown} left`}</Tag>;
}
