import type { Leaderboard } from '@caravan/contracts/http/scores';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import clsx from 'clsx';
import { formatCount } from '../../lib/format.ts';
import { useDistance } from '../../lib/units.ts';
import { useGlide } from '../../lib/use-glide.ts';
import { Card } from '../../ui/card.tsx';
import { Tag } from '../../ui/chip.tsx';
import { Board } from './board.tsx';
import { Medal } from './medal.tsx';
import { OwnPosition } from './own-position.tsx';
import styles from './rows.module.css';

type Team = Leaderboard['teams'][number];

export function Teams({ board, ownTeamId }: { board: Leaderboard; ownTeamId: string }) {
  const { t } = useLingui();
  const own = board.teams.find(({ id }) => id === ownTeamId);
  const list = useGlide<HTMLOListElement>(board.teams.map(({ id }) => id).join(' '));
  return (
    <Board
      own={
        <OwnPosition
          name={own ? `${own.emoji} ${own.name}` : t`Your team`}
          rank={board.teamPosition}
          own={own ?? null}
        />
      }
      rows={
        <Card title={t`Teams`} className={styles.card}>
          <ol className={styles.rows} ref={list}>
            {board.teams.map((team) => (
              <TeamRow key={team.id} team={team} isOwn={team.id === ownTeamId} />
            ))}
          </ol>
        </Card>
      }
    />
  );
}

function TeamRow({ team, isOwn }: { team: Team; isOwn: boolean }) {
  const { t } = useLingui();
  const { figure, short, long } = useDistance();
  const [weekly, average, members] = [
    figure(team.weeklyMiles),
    figure(team.averageMiles),
    formatCount(team.memberCount),
  ];
  return (
    <li data-glide={team.id} className={clsx(styles.row, isOwn && styles.own)}>
      <Medal rank={team.rank} />
      <span className={styles.emblem} aria-hidden="true">
        {team.emoji}
      </span>
      <div className={styles.who}>
        <b>
          <span className={styles.name}>{team.name}</span> {isOwn && <Tag tone="brand">{t`your team`}</Tag>}
        </b>
        <p>
          <Plural value={team.memberCount} one={`${members} member`} other={`${members} members`} />
        </p>
        <p>
          <Trans>
            {average} {long} each
          </Trans>
        </p>
      </div>
      <div className={styles.miles}>
        <b>
          {figure(team.totalMiles)} <span>{short}</span>
        </b>
        <p>{t`${weekly} this week`}</p>
      </div>
    </li>
  );
}
