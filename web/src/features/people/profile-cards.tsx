import type { UserProfile } from '@caravan/contracts/http/people';
import { Trans, useLingui } from '@lingui/react/macro';
import { Award, EyeOff, Heart, type LucideIcon, Mail, MapPin } from 'lucide-react';
import { formatLocalDate } from '../../lib/dates.ts';
import { formatCount } from '../../lib/format.ts';
import { useDistance } from '../../lib/units.ts';
import { drawnBadge } from '../../ui/badge-drawings.ts';
import { Draw } from '../../ui/drawing.tsx';
import { Card } from '../../ui/page.tsx';
import { Stamp } from '../../ui/stamp.tsx';
import { Hidden, Rolling } from '../../ui/text.tsx';
import styles from './people.module.css';

/** Total miles and streak, or a friendly word where their owner hides them (D18). */
export function Figures({
  user: { name, totalMiles, streakCount },
}: {
  user: Pick<UserProfile, 'name' | 'totalMiles' | 'streakCount'>;
}) {
  const { t } = useLingui();
  const { units, figure } = useDistance();
  const [first = name] = name.split(' ');
  if (totalMiles === null || streakCount === null)
    return (
      <Card className={styles.hidden}>
        <EyeOff size={22} aria-hidden="true" />
        <p>
          <b>
            <Trans>{first} keeps their numbers private.</Trans>
          </b>{' '}
          <Trans>Their miles still carry the team.</Trans>
        </p>
      </Card>
    );
  return (
    <dl className={styles.figures}>
      <div>
        <dt>{units === 'metric' ? t`Total km` : t`Total miles`}</dt>
        <dd>
          <Rolling value={totalMiles} format={figure} />
        </dd>
      </div>
      <div>
        <dt>{t`Streak days`}</dt>
        <dd>{formatCount(streakCount)}</dd>
      </div>
    </dl>
  );
}

/** The badges somebody has earned, by name. @param owner whose they are; null: one's own */
export function Badges({
  names,
  owner,
  isHidden,
}: {
  names: readonly string[];
  owner: string | null;
  isHidden: boolean;
}) {
  const { t } = useLingui();
  const [first = ''] = (owner ?? '').split(' ');
  // Who hides their numbers hides their badges too.
  if (isHidden) return null;
  return (
    <Card title={t`Badges`}>
      {names.length === 0 ? (
        <p className={styles.none}>
          {owner === null ? (
            <Trans>None yet. The first one waits on the way.</Trans>
          ) : (
            <Trans>{first} has not earned one yet.</Trans>
          )}
        </p>
      ) : (
        <ul className={styles.badges}>
          {names.map((name) => (
            <li key={name}>
              <Stamp size={62}>
                <Sign badgeName={name} />
              </Stamp>
              <b>{name}</b>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

function Sign({ badgeName }: { badgeName: string }) {
  const drawn = drawnBadge({ badgeName });
  return drawn ? <Draw drawing={drawn.drawing} size={28} /> : <Award size={28} aria-hidden="true" />;
}

/** What somebody says about themselves; what is not said takes no room. */
export function Facts({
  user: { bio, location, favoriteActivity },
  email,
}: {
  user: Pick<UserProfile, 'bio' | 'location' | 'favoriteActivity'>;
  /** Only on one's own profile. */
  email?: string;
}) {
  const { t } = useLingui();
  return (
    <>
      {bio && (
        <p className={styles.bio} dir="auto">
          {bio}
        </p>
      )}
      {(location || favoriteActivity || email) && (
        <dl className={styles.facts}>
          {location && <Fact icon={MapPin} name={t`Location`} text={location} />}
          {favoriteActivity && <Fact icon={Heart} name={t`Favorite activity`} text={favoriteActivity} />}
          {email && <Fact icon={Mail} name={t`Email`} text={email} />}
        </dl>
      )}
    </>
  );
}

const Fact = ({ icon: Icon, name, text }: { icon: LucideIcon; name: string; text: string }) => (
  <div>
    <dt>
      <Icon size={18} aria-hidden="true" />
      <Hidden>{name}</Hidden>
    </dt>
    <dd>
      <bdi>{text}</bdi>
    </dd>
  </div>
);

/** When somebody joined. @param joinedOn YYYY-MM-DD */
export function Since({ joinedOn }: { joinedOn: string }) {
  if (joinedOn === '') return null;
  const since = formatLocalDate(joinedOn, { month: 'long', year: 'numeric' });
  return (
    <span>
      <Trans>on the way since {since}</Trans>
    </span>
  );
}
