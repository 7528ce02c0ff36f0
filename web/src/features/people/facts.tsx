import type { UserProfile } from '@caravan/contracts/http/people';
import { Trans, useLingui } from '@lingui/react/macro';
import { Heart, MapPin, type LucideIcon } from 'lucide-react';
import { formatLocalDate } from '../../lib/format.ts';
import { Hidden } from '../../ui/hidden.tsx';
import styles from './people.module.css';

/** What somebody says about themselves; what is not said takes no room. */
export function Facts({
  user: { bio, location, favoriteActivity },
}: {
  user: Pick<UserProfile, 'bio' | 'location' | 'favoriteActivity'>;
}) {
  const { t } = useLingui();
  return (
    <>
      {bio && <p className={styles.bio}>{bio}</p>}
      {(location || favoriteActivity) && (
        <dl className={styles.facts}>
          {location && <Fact icon={MapPin} name={t`Location`} text={location} />}
          {favoriteActivity && <Fact icon={Heart} name={t`Favorite activity`} text={favoriteActivity} />}
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
    <dd>{text}</dd>
  </div>
);

/** When somebody joined. @param joinedOn YYYY-MM-DD */
export function Since({ joinedOn }: { joinedOn: string }) {
  if (joinedOn === '') return null;
  const since = formatLocalDate(joinedOn, { month: 'long', year: 'numeric' });
  return (
    <span className={styles.since}>
      <Trans>on the way since {since}</Trans>
    </span>
  );
}
