import type { BoardPeriod, Leaderboard } from '@caravan/contracts/http/scores';
import { Plural, useLingui } from '@lingui/react/macro';
import clsx from 'clsx';
import { formatCount } from '../../lib/format.ts';
import { useDistance } from '../../lib/units.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { type Place, Podium } from '../../ui/podium.tsx';
import { Hidden, PersonName } from '../../ui/text.tsx';
import styles from './medal.module.css';
import { placeOf, rankedMiles } from './standing.ts';

type Row = { id: string; rank: number | null; totalMiles: number; weeklyMiles: number };
type Look<Of> = (row: Of) => Pick<Place, 'picture' | 'name' | 'beside'>;

/** The first three members. */
export function TopPeople({
  users,
  ownId,
  period,
}: {
  users: Leaderboard['users'];
  ownId: string;
  period: BoardPeriod;
}) {
  const { t } = useLingui();
  const look: Look<Leaderboard['users'][number]> = ({ name, photoUrl, profileId, teamEmoji, teamName }) => ({
    picture: <Avatar name={name} photoUrl={photoUrl} size="large" />,
    name: <PersonName profileId={profileId} name={name} />,
    beside: (
      <>
        {teamEmoji} <bdi>{teamName}</bdi>
      </>
    ),
  });
  return <Podium title={t`Top performers`} places={usePlaces(users, look, { ownId, ownWord: t`you`, period })} />;
}

/** The first three teams. */
export function TopTeams({
  teams,
  ownId,
  period,
}: {
  teams: Leaderboard['teams'];
  ownId: string;
  period: BoardPeriod;
}) {
  const { t } = useLingui();
  const look: Look<Leaderboard['teams'][number]> = ({ name, emoji, memberCount }) => {
    const members = formatCount(memberCount);
    return {
      picture: emoji,
      name: <bdi>{name}</bdi>,
      beside: <Plural value={memberCount} one={`${members} member`} other={`${members} members`} />,
    };
  };
  return <Podium title={t`In the lead`} places={usePlaces(teams, look, { ownId, ownWord: t`your team`, period })} />;
}

function usePlaces<Of extends Row>(
  rows: readonly Of[],
  look: Look<Of>,
  { ownId, ownWord, period }: { ownId: string; ownWord: string; period: BoardPeriod },
): Place[] {
  const { t } = useLingui();
  const { figure, short } = useDistance();
  const isTied = ({ rank }: Row) => rank !== null && rows.filter((other) => other.rank === rank).length > 1;
  return rows.map((row) => {
    const { id, rank, totalMiles, weeklyMiles } = row;
    const miles = figure(rankedMiles(row, period));
    const total = figure(totalMiles);
    const weekly = figure(weeklyMiles);
    const notes = [period === 'week' ? t`${total} in all` : t`${weekly} this week`];
    if (isTied(row)) notes.push(t`level`);
    if (id === ownId) notes.push(ownWord);
    const text = rank === null ? '--' : formatCount(rank);
    const { picture, name, beside } = look(row);
    return {
      id,
      rank,
      rankName: t`Rank`,
      rankText: text,
      picture,
      name,
      beside,
      figure: t`${miles} ${short}`,
      notes,
      isOwn: id === ownId,
    };
  });
}

/** A rank; the first three wear gold, silver and bronze. */
export function Medal({ rank }: { rank: number | null }) {
  const { t } = useLingui();
  const place = placeOf(rank);
  return (
    <span className={clsx(styles.rank, place && [styles.ringed, styles[`place${place}`]])}>
      <Hidden>{t`Rank`} </Hidden>
      {rank === null ? '--' : formatCount(rank)}
    </span>
  );
}
