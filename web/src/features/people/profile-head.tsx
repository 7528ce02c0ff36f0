import { isolateText } from '@caravan/contracts/domain/text/text';
import { type ReactNode, useId } from 'react';
import { Avatar } from '../../ui/avatar.tsx';
import { SceneTop } from '../../ui/page.tsx';
import { Scene } from '../../ui/scene/scene.tsx';
import { Since } from './profile-cards.tsx';
import styles from './profile-head.module.css';

/** The landscape above a profile. @param before the way back */
export const Banner = ({ before }: { before?: ReactNode }) => (
  <Scene seed={21} className={styles.banner} sun={{ className: styles.sun }}>
    <SceneTop>
      <span />
    </SceneTop>
    {before && <div className={styles.before}>{before}</div>}
  </Scene>
);

type Person = { name: string; photoUrl: string | null; teamEmoji: string; teamName: string; joinedOn: string | null };

/** The head of a profile: photo, name, team, bio and the actions on it. */
export function ProfileHead({
  person: { name, photoUrl, teamEmoji, teamName, joinedOn },
  acts,
  about,
  follows,
}: {
  person: Person;
  acts: ReactNode;
  about: ReactNode;
  follows: ReactNode;
}) {
  const nameId = useId();
  return (
    <section className={styles.head} aria-labelledby={nameId}>
      <div className={styles.face}>
        <Avatar name={name} photoUrl={photoUrl} size="huge" />
      </div>
      <div className={styles.who}>
        <h1 id={nameId} tabIndex={-1}>
          <bdi>{name}</bdi>
        </h1>
        <p className={styles.team}>
          <span>
            {teamEmoji} {isolateText(teamName)}
          </span>
          {joinedOn !== null && <Since joinedOn={joinedOn} />}
        </p>
      </div>
      <div className={styles.acts}>{acts}</div>
      <div className={styles.about}>{about}</div>
      <div className={styles.follows}>{follows}</div>
    </section>
  );
}
