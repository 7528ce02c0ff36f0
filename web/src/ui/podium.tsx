import clsx from 'clsx';
import { type ReactNode, useId } from 'react';
import { Scene } from './scene/scene.tsx';
import { Hidden } from './text.tsx';
import styles from './podium.module.css';

export type Place = {
  id: string;
  rank: number | null;
  /** The rank in words and as it stands on the milestone. */
  rankName: string;
  rankText: string;
  picture: ReactNode;
  name: ReactNode;
  beside: ReactNode;
  figure: string;
  /** Below the figure; each is another one. */
  notes: readonly string[];
  isOwn: boolean;
};

/** The first of a board on milestones. Read in order; drawn with the first highest, ties on stones of one height. */
export function Podium({ title, places }: { title: string; places: readonly Place[] }) {
  const titleId = useId();
  return (
    <Scene seed={14} sun={null} className={styles.scene} aria-labelledby={titleId}>
      <h2 id={titleId}>{title}</h2>
      <ol className={styles.podium} data-count={places.length}>
        {places.map(({ id, rank, rankName, rankText, picture, name, beside, figure, notes, isOwn }, nth) => (
          <li
            key={id}
            data-glide={id}
            data-rank={rank}
            className={clsx(styles.place, nth === 1 && styles.second, isOwn && styles.own)}
          >
            <span className={styles.picture} aria-hidden="true">
              {picture}
            </span>
            <em className={styles.rank}>
              <Hidden>{rankName} </Hidden>
              {rankText}
            </em>
            <b className={styles.name}>{name}</b>
            <span className={styles.beside}>{beside}</span>
            <div className={styles.stone}>
              <b>{figure}</b>
              {notes.map((note) => (
                <span key={note}>{note}</span>
              ))}
            </div>
          </li>
        ))}
      </ol>
    </Scene>
  );
}
