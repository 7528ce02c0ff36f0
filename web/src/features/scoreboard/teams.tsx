import type { BoardPeriod, Leaderboard } from '@caravan/contracts/http/scores';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import clsx from 'clsx';
import { formatCount } from '../../lib/format.ts';
import { useDistance } from '../../lib/units.ts';
import { Tag } from '../../ui/button.tsx';
import { Card } from '../../ui/page.tsx';
import styles from './board.module.css';
import { Board, RowMiles } from './board.tsx';
import { OwnPosition } from './own-position.tsx';
import { Medal } from './podium.tsx';
import { neighboursOf } from './standing.ts';

type Team = Leaderboard['teams'][number];

/** Teams: the first ten by the miles of the period, and where one's own stands. */
export function Teams({ board, ownTeamId, period }: { board: Leaderboard; ownTeamId: string; period: BoardPeriod }) {
  const { t } = useLingui();
  const own = board.teams.find(({ id }) => id === ownTeamId);
  return (
    <Board
      order={board.teams.map(({ id }) => id).join(' ')}
      own={
        <OwnPosition
          name={own ? `${own.emoji} ${own.name}` : t`Your team`}
          period={period}
          rank={board.teamPosition}
          own={own ?? null}
          neighbours={neighboursOf(board.teams, ownTeamId, period)}
        />
      }
      rows={
        <Card title={t`Teams`} className={styles.card}>
          <ol className={styles.list}>
            {board.teams.map((team) => (
              <TeamRow key={team.id} team={team} isOwn={team.id === ownTeamId} period={period} />
            ))}
          </ol>
        </Card>
      }
    />
  );
}

function TeamRow({ team, isOwn, period }: { team: Team; isOwn: boolean; period: BoardPeriod }) {
  const { t } = useLingui();
  const { figure, long } = useDistance();
  const average = figure(team.averageMiles);
  const members = formatCount(team.memberCount);
  return (
    <li data-glide={team.id} className={clsx(styles.row, isOwn && styles.own)}>
      <Medal rank={team.rank} />
      <span className={styles.emblem} aria-hidden="true">
        {team.emoji}
      </span>
      <div className={styles.who}>
        <b>
          <bdi className={styles.name}>{team.name}</bdi> {isOwn && <Tag tone="brand">{t`your team`}</Tag>}
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
      <RowMiles of={team} period={period} />
    </li>
  );
}
