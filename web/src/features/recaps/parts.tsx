import type { Recap } from '@caravan/contracts/http/recaps';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import { Award, Flag, Flame, Target, Zap } from 'lucide-react';
import clsx from 'clsx';
import type { ReactNode } from 'react';
import { useDistance } from '../../lib/units.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Card } from '../../ui/page.tsx';
import { Photo } from '../../ui/photo.tsx';
import { PersonName } from '../../ui/text.tsx';
import styles from './recaps.module.css';

type Part = { recap: Recap };

export function TopTeams({ recap: { topTeams } }: Part) {
  const { t } = useLingui();
  const { figure, short } = useDistance();
  if (topTeams.length === 0) return null;
  const most = Math.max(...topTeams.map(({ miles }) => miles));
  return (
    <Card title={t`Top teams`}>
      <ol className={styles.rows}>
        {topTeams.map(({ teamId, name, emoji, miles }, index) => (
          <li key={teamId} className={styles.team}>
            <span className={clsx(styles.place, styles[`place${index + 1}`])}>{index + 1}</span>
            <span className={styles.grow}>
              <strong>
                {emoji} <bdi>{name}</bdi>
              </strong>
              <span className={styles.bar} aria-hidden="true">
                <span style={{ width: `${(100 * miles) / most}%` }} />
              </span>
            </span>
            <span className={styles.number}>
              {figure(miles)} {short}
            </span>
          </li>
        ))}
      </ol>
    </Card>
  );
}

/** A caption that its author lets everybody read. */
export function Quote({ recap: { featuredQuote: quote } }: Part) {
  const { t } = useLingui();
  if (!quote) return null;
  const { text, user } = quote;
  return (
    <Card title={t`Said on the way`}>
      <figure className={styles.quote}>
        <blockquote dir="auto">{text}</blockquote>
        <figcaption>
          <Avatar name={user.name} photoUrl={user.avatar} />
          <PersonName profileId={user.profileId} name={user.name} />
        </figcaption>
      </figure>
    </Card>
  );
}

/** What everybody saw most in, while its author lets recaps show it (D28). */
export function FeaturedPhoto({ recap: { featuredPhotoUrl: src, featuredPhoto: featured } }: Part) {
  const { t } = useLingui();
  if (!src) return null;
  const name = featured?.user.name ?? '';
  return (
    <Card title={t`Seen on the way`}>
      <figure className={styles.quote}>
        <Photo
          src={src}
          photo={featured?.photo ?? null}
          otherwise={featured ? t`Photo by ${name}` : t`Photo of the week`}
          sizes="(min-width: 700px) 640px, 92vw"
        />
        {featured && (
          <figcaption>
            <Avatar name={name} photoUrl={featured.user.avatar} />
            <PersonName profileId={featured.user.profileId} name={name} />
          </figcaption>
        )}
      </figure>
    </Card>
  );
}

export function Improved({ recap: { mostImproved } }: Part) {
  const { t } = useLingui();
  const { figure, short } = useDistance();
  if (mostImproved.length === 0) return null;
  return (
    <Card title={t`Most improved`}>
      <ul className={styles.rows}>
        {mostImproved.map(({ user, miles, previousMiles }) => (
          <li key={user.profileId ?? user.name} className={styles.person}>
            <Avatar name={user.name} photoUrl={user.avatar} />
            <span className={styles.grow}>
              <PersonName profileId={user.profileId} name={user.name} className={styles.name} />
            </span>
            <span className={styles.gain}>
              +{figure(miles - previousMiles)} {short}
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** Streaks, stops of the journey, challenges and badges, each as a sentence; nothing of what did not happen. */
export function Happened({ recap: { streaks, checkpoints, challenges, badgesEarned } }: Part) {
  const { t } = useLingui();
  const { longestDays } = streaks;
  const facts: ReactNode[] = [
    streaks.kept > 0 && (
      <Fact key="streaks" icon={<Flame size={20} aria-hidden="true" />}>
        <Plural value={streaks.kept} one="# streak kept all week" other="# streaks kept all week" />{' '}
        <span className={styles.quiet}>
          <Plural value={longestDays} one="the longest # day" other="the longest # days" />
        </span>
      </Fact>
    ),
    ...checkpoints.map(({ teamName, teamEmoji, name, routeName }) => (
      <Fact key={`${teamName} ${name}`} icon={<Flag size={20} aria-hidden="true" />}>
        <Link to="/journey">
          <Trans>
            {teamEmoji} {teamName} reached {name}
          </Trans>
        </Link>{' '}
        <span className={styles.quiet}>{routeName}</span>
      </Fact>
    )),
    ...challenges.weekly.map(({ name, completions }) => (
      <Fact key={name} icon={<Target size={20} aria-hidden="true" />}>
        {name}{' '}
        <span className={styles.quiet}>
          <Plural value={completions} one="completed once" other="completed # times" />
        </span>
      </Fact>
    )),
    challenges.bonusCompletions > 0 && (
      <Fact key="bonus" icon={<Zap size={20} aria-hidden="true" />}>
        <Plural value={challenges.bonusCompletions} one="# bonus challenge won" other="# bonus challenges won" />
      </Fact>
    ),
    badgesEarned > 0 && (
      <Fact key="badges" icon={<Award size={20} aria-hidden="true" />}>
        <Plural value={badgesEarned} one="# badge earned" other="# badges earned" />
      </Fact>
    ),
  ].filter(Boolean);
  if (facts.length === 0) return null;
  return (
    <Card title={t`On the way`}>
      <ul className={styles.rows}>{facts}</ul>
    </Card>
  );
}

const Fact = ({ icon, children }: { icon: ReactNode; children: ReactNode }) => (
  <li className={styles.fact}>
    {icon}
    <span className={styles.grow}>{children}</span>
  </li>
);
