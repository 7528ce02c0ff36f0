import type { Journey } from '@caravan/contracts/http/journeys';
import { Trans, useLingui } from '@lingui/react/macro';
import { Check } from 'lucide-react';
import { useState } from 'react';
import { useDates } from '../../lib/dates.ts';
import { useDistance } from '../../lib/units.ts';
import { Tag } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Card } from '../../ui/page.tsx';
import { EmptyState } from '../../ui/states.tsx';
import styles from './journey.module.css';
import { Picture } from './picture.tsx';
import { inOrder, type Stop } from './way.ts';

/** Every stop, how far it is, and who has been there: the map in words. */
export function StopsTable({ stops }: { stops: readonly Stop[] }) {
  const { t } = useLingui();
  const { brief, short } = useDistance();
  return (
    <Card title={t`All stops`}>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">{t`Stop`}</th>
            <th scope="col" className={styles.figure}>{`${t`At`} (${short})`}</th>
            <th scope="col">{t`Your team`}</th>
            <th scope="col">{t`Been there`}</th>
          </tr>
        </thead>
        <tbody>
          {stops.map((stop) => (
            <tr key={stop.checkpoint.name}>
              <th scope="row">
                {stop.checkpoint.name}
                <span>{stop.checkpoint.country}</span>
              </th>
              <td className={styles.figure}>{brief(stop.checkpoint.mileMark)}</td>
              <td>
                <Standing stop={stop} />
              </td>
              <td>
                <BeenThere teams={stop.teams} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Card>
  );
}

/** On phones the emblems alone are seen; the names are read. */
const BeenThere = ({ teams }: { teams: Stop['teams'] }) =>
  teams.length === 0
    ? '–'
    : teams.map(({ id, emoji, name }) => (
        <span key={id} className={styles.visitor}>
          {emoji} <bdi>{name}</bdi>{' '}
        </span>
      ));

function Standing({ stop: { isReached, reachedAt, milesLeft } }: { stop: Stop }) {
  const { t } = useLingui();
  const { formatDate } = useDates();
  const { left, short } = useDistance();
  const toGo = left(milesLeft);
  const date = reachedAt && formatDate(reachedAt, { day: 'numeric', month: 'short' });
  if (!isReached) return t`${toGo} ${short} to go`;
  return (
    <span className={styles.reached}>
      <Check size={16} aria-hidden="true" />
      {date ? t`Reached ${date}` : t`Reached`}
    </span>
  );
}

/** Where every team stands. */
export function TeamsTable({ teams, ownTeamId }: { teams: Journey['teams']; ownTeamId: string | null }) {
  const { t } = useLingui();
  const { figure, left, short } = useDistance();
  const next = ({ nextCheckpoint, milesToNext }: Journey['teams'][number]) => {
    const toGo = left(milesToNext);
    return nextCheckpoint === null ? t`at the goal` : t`${toGo} ${short} to ${nextCheckpoint}`;
  };
  return (
    <Card title={t`Teams on the way`}>
      <ol className={styles.teams}>
        {inOrder(teams).map((team) => (
          <li key={team.id}>
            <span className={styles.emblem} data-own={team.id === ownTeamId} aria-hidden="true">
              {team.emoji}
            </span>
            <div>
              <b>
                <bdi>{team.name}</bdi>
              </b>{' '}
              {team.id === ownTeamId && <Tag>{t`your team`}</Tag>}
              <p>{next(team)}</p>
            </div>
            <span className={styles.miles}>
              <b>{figure(team.miles)}</b> {short}
            </span>
          </li>
        ))}
      </ol>
    </Card>
  );
}

/** A card from every stop that the own team has reached, the last first. */
export function Postcards({ stops }: { stops: readonly Stop[] }) {
  const { t } = useLingui();
  const [openName, setOpenName] = useState<string | null>(null);
  const reached = stops.map((stop, index) => ({ ...stop, index })).filter(({ isReached }) => isReached);
  const open = reached.find(({ checkpoint }) => checkpoint.name === openName);
  return (
    <Card tone="paper" title={t`Postcards`}>
      {reached.length === 0 ? (
        <EmptyState title={t`No postcards yet`} hint={t`The first one waits at the first stop.`} />
      ) : (
        <ul className={styles.postcards}>
          {reached.toReversed().map((stop) => (
            <li key={stop.checkpoint.name}>
              <button type="button" className={styles.postcard} onClick={() => setOpenName(stop.checkpoint.name)}>
                <Picture index={stop.index} />
                <b>{stop.checkpoint.name}</b>
                <span>
                  <ReachedOn stop={stop} />
                </span>
              </button>
            </li>
          ))}
        </ul>
      )}
      {open && (
        <Dialog
          isOpen
          title={t`Greetings from ${open.checkpoint.name}`}
          onOpenChange={(isOpen) => isOpen || setOpenName(null)}
        >
          <Picture index={open.index} stamp={open.checkpoint.country} />
          <p className={styles.story}>{open.checkpoint.story}</p>
          <p className={styles.quiet}>
            {open.checkpoint.name}, {open.checkpoint.country}&nbsp;· <ReachedOn stop={open} />
          </p>
        </Dialog>
      )}
    </Card>
  );
}

function ReachedOn({ stop: { reachedAt } }: { stop: Stop }) {
  const { formatDate } = useDates();
  const date = reachedAt === null ? '' : formatDate(reachedAt, { dateStyle: 'long' });
  return reachedAt === null ? <Trans>Where the way began</Trans> : date;
}
