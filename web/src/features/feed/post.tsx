import type { FeedPost } from '@caravan/contracts/http/feed';
import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { formatCount } from '../../lib/format.ts';
import { useDistance } from '../../lib/units.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Card } from '../../ui/card.tsx';
import { Tag } from '../../ui/chip.tsx';
import { PersonName } from '../../ui/person-name.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { shortened } from './caption.ts';
import styles from './post.module.css';
import { sourceOf } from './source.ts';

export function Post({ post }: { post: FeedPost }) {
  const { i18n } = useLingui();
  const { figure, short } = useDistance();
  const { icon: Icon, label } = sourceOf(post.source);
  const [miles, minutes] = [figure(post.distanceMiles), formatCount(post.durationMinutes)];
  return (
    <article>
      <Card>
        <div className={styles.head}>
          <Avatar name={post.user.name} photoUrl={post.user.avatar} />
          <div className={styles.who}>
            <b>
              <PersonName profileId={post.user.profileId} name={post.user.name} />
            </b>
            <p>
              <RelativeTime at={post.createdAt} />
              <Tag>
                <Icon size={14} aria-hidden="true" />
                {i18n._(label)}
              </Tag>
            </p>
          </div>
          <span className={styles.miles}>
            +{miles} {short}
          </span>
        </div>
        <p className={styles.activity}>
          <b>{post.activityType}</b> <Trans>{minutes} min</Trans>
        </p>
        {post.caption && <Caption text={post.caption} />}
        {post.photoUrl && <img className={styles.photo} src={post.photoUrl} alt="" loading="lazy" />}
      </Card>
    </article>
  );
}

function Caption({ text }: { text: string }) {
  const { t } = useLingui();
  const [isWhole, setIsWhole] = useState(false);
  const short = shortened(text);
  return (
    <p className={styles.caption}>
      {isWhole ? text : (short ?? text)}{' '}
      {short !== null && (
        <button type="button" className={styles.more} aria-expanded={isWhole} onClick={() => setIsWhole(!isWhole)}>
          {isWhole ? t`less` : t`more`}
        </button>
      )}
    </p>
  );
}
