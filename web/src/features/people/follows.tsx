import type { UserProfile } from '@caravan/contracts/http/people';
import { Plural, useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { formatCount } from '../../lib/format.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { FollowList } from './follow-list.tsx';
import styles from './people.module.css';

/** Both numbers; each opens the list behind it (D46). */
export function Follows({
  user: { id, name, isSelf, followerCount, followingCount },
}: {
  user: Pick<UserProfile, 'id' | 'name' | 'isSelf' | 'followerCount' | 'followingCount'>;
}) {
  const { t } = useLingui();
  const [first = name] = name.split(' ');
  const [followers, following] = [formatCount(followerCount), formatCount(followingCount)];
  return (
    <div className={styles.follows}>
      <Opening
        title={isSelf ? t`Your followers` : t`${first}'s followers`}
        number={
          <>
            <b>{followers}</b> <Plural value={followerCount} one="follower" other="followers" />
          </>
        }
      >
        <FollowList id={id} direction="followers" />
      </Opening>
      <Opening
        title={isSelf ? t`You follow` : t`${first} follows`}
        number={
          <>
            <b>{following}</b> {t`following`}
          </>
        }
      >
        <FollowList id={id} direction="following" />
      </Opening>
    </div>
  );
}

const Opening = ({ title, number, children }: { title: string; number: ReactNode; children: ReactNode }) => (
  <Dialog
    title={title}
    trigger={
      <button type="button" className={styles.count}>
        {number}
      </button>
    }
  >
    {children}
  </Dialog>
);
