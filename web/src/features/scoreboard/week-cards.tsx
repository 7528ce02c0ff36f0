import type { Leaderboard } from '@caravan/contracts/http/scores';
import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { formatLocalDate } from '../../lib/dates.ts';
import { formatCount } from '../../lib/format.ts';
import { useDistance } from '../../lib/units.ts';
import { Lines } from '../../ui/charts/lines.tsx';
import { ShareBar } from '../../ui/charts/share-bar.tsx';
import { Card } from '../../ui/page.tsx';
import { boardWeeksQuery, leaderboardQuery } from './api.ts';
import styles from './week-cards.module.css';
import { ownFirst, ranksByWeek, sharesOf, weeksShown } from './weeks.ts';

/** Weeks as they are named below a chart; the running one is now. */
function useWeekNames(weeks: readonly string[]): string[] {
  const { t } = useLingui();
  return weeks.map((week, nth) =>
    nth === weeks.length - 1 ? t`now` : formatLocalDate(week, { month: 'short', day: 'numeric' }),
  );
}

const placeText = (rank: number) => (Number.isFinite(rank) ? `#${formatCount(rank)}` : '--');

/** Where one stood at the end of the last weeks; missing while its answer is, and before there are two weeks (D44). */
export function OwnRanks() {
  const { t } = useLingui();
  const { data } = useQuery(boardWeeksQuery);
  const { data: board } = useQuery(leaderboardQuery('all'));
  const weeks = weeksShown(data?.weeks ?? []);
  const names = useWeekNames(weeks);
  const ranks = data && board ? ranksByWeek(data, board.userPosition) : [];
  const known = ranks.filter((rank) => rank !== null);
  if (known.length < 2) return null;
  const best = placeText(Math.min(...known));
  const now = placeText(known.at(-1) ?? 0);
  const count = formatCount(weeks.length);
  return (
    <Card title={t`Your rank, ${count} weeks`}>
      <p className={styles.sentence}>{t`Your best place of these weeks is ${best}.`}</p>
      <Lines
        lines={[{ id: 'own', name: t`Your rank`, label: t`You ${now}`, values: ranks }]}
        steps={names}
        stepName={t`Week`}
        format={placeText}
        isDownwards
      />
    </Card>
  );
}

/** Each team's share of this week's miles. */
export function WeekShares({ teams, ownTeamId }: { teams: Leaderboard['teams']; ownTeamId: string }) {
  const { t } = useLingui();
  const { figure } = useDistance();
  const { shares, together } = sharesOf(teams, ownTeamId);
  const all = figure(together);
  if (shares.length < 2) return null;
  return (
    <Card title={t`This week’s miles`} aside={t`${all} together`}>
      <ShareBar
        parts={shares.map(({ team, share }) => ({
          id: team?.id ?? 'others',
          name: team ? `${team.emoji} ${team.name}` : t`all others`,
          share,
        }))}
      />
    </Card>
  );
}

const drawnTeams = 3;

/** Miles of each team by week, the own team first. Without an answer the card is missing (D44). */
export function TeamWeeks({ ownTeamId }: { ownTeamId: string }) {
  const { t } = useLingui();
  const { figure, brief, long } = useDistance();
  const { data } = useQuery(boardWeeksQuery);
  const names = useWeekNames(weeksShown(data?.weeks ?? []));
  const teams = ownFirst(data?.teams ?? [], ownTeamId, drawnTeams);
  if (teams.every(({ miles }) => miles.every((ofWeek) => ofWeek === 0))) return null;
  const own = teams.find(({ id }) => id === ownTeamId);
  return (
    <Card title={t`Week by week`} aside={long}>
      {own && <BestWeek name={own.name} miles={Math.max(...weeksShown(own.miles))} />}
      <Lines
        shape="wide"
        lines={teams.map(({ id, name, emoji, miles }) => ({
          id,
          name,
          label: `${emoji} ${figure(miles.at(-1) ?? 0)}`,
          values: weeksShown(miles),
        }))}
        steps={names}
        stepName={t`Week`}
        format={figure}
        formatTick={brief}
      />
    </Card>
  );
}

function BestWeek({ name, miles }: { name: string; miles: number }) {
  const { figure, long } = useDistance();
  const best = figure(miles);
  return (
    <p className={styles.sentence}>
      <Trans>
        The best of these weeks brought {name} {best} {long}.
      </Trans>
    </p>
  );
}

/** Teams of different size side by side: what each member brought on average. */
export function PerMember({
  teams,
  ownTeamId,
  isWeek,
}: {
  teams: Leaderboard['teams'];
  ownTeamId: string;
  isWeek: boolean;
}) {
  const { t } = useLingui();
  const { figure } = useDistance();
  const shown = teams.filter(({ averageMiles }) => averageMiles > 0);
  const most = Math.max(...shown.map(({ averageMiles }) => averageMiles));
  if (shown.length < 2) return null;
  return (
    <Card title={t`Per member`} aside={isWeek ? t`average, this week` : t`average, all time`}>
      <ul className={styles.averages}>
        {shown.map(({ id, emoji, name, averageMiles }) => (
          <li key={id} data-own={id === ownTeamId}>
            <b>
              {emoji} <bdi>{name}</bdi>
            </b>
            <span>{figure(averageMiles)}</span>
            <i style={{ inlineSize: `${(averageMiles / most) * 100}%` }} aria-hidden="true" />
          </li>
        ))}
      </ul>
      <p className={styles.sentence}>{t`Teams of different size are fair to compare here.`}</p>
    </Card>
  );
}
