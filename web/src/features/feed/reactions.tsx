import type { ReactionEmoji } from '@caravan/contracts/events/fields';
import type { FeedPost } from '@caravan/contracts/http/feed';
import { useLingui } from '@lingui/react/macro';
import { Suspense, useState } from 'react';
import { formatCount } from '../../lib/format.ts';
import { lazyPart } from '../../lib/lazy-part.ts';
import { Chip } from '../../ui/button.tsx';
import { toast } from '../../ui/toast-state.ts';
import { useReact } from './api.ts';
import { reactionNames } from './reaction-names.ts';
import styles from './reactions.module.css';

const WhoReacted = lazyPart(async () => (await import('./who-reacted.tsx')).WhoReacted);

const emojis = Object.keys(reactionNames) as ReactionEmoji[];

type ReactionsShown = {
  /** Of the post. */
  id: string;
  /** Absent where they are counted together, elsewhere. */
  reactions?: FeedPost['reactions'];
  own: readonly ReactionEmoji[];
};

/** Three ways to cheer (3.40), given or taken back by a press: it shows at once, and is undone where it is refused. */
export function ReactionButtons({ id, reactions, own }: ReactionsShown) {
  const { t, i18n } = useLingui();
  const { mutate } = useReact(id);
  const toggle = (emoji: ReactionEmoji) =>
    mutate(
      { logId: id, emoji, isAdded: !own.includes(emoji) },
      {
        onError: () =>
          toast({ title: t`Error`, description: t`Failed to react to post. Please try again.`, tone: 'error' }),
      },
    );
  return emojis.map((emoji) => {
    const count = reactions?.[emoji] ?? 0;
    const name = i18n._(reactionNames[emoji]);
    const figure = formatCount(count);
    return (
      <Chip
        key={emoji}
        className={styles.react}
        isPressed={own.includes(emoji)}
        aria-label={count > 0 ? `${name}, ${figure}` : name}
        onClick={() => toggle(emoji)}
      >
        <span className={styles.emoji}>{emoji}</span>
        {count > 0 && <span className={styles.count}>{figure}</span>}
      </Chip>
    );
  });
}

/** On one's own posts: how the others took them, and on a press who they are (2.90). */
export function ReactionsReceived({ post: { id, reactions } }: { post: FeedPost }) {
  const { t, i18n } = useLingui();
  const [isOpen, setOpen] = useState(false);
  const given = emojis.flatMap((emoji) => {
    const count = reactions[emoji] ?? 0;
    return count > 0 ? [{ emoji, figure: formatCount(count) }] : [];
  });
  if (given.length === 0) return <span className={styles.none}>{t`No reactions yet`}</span>;
  return (
    <>
      <button
        type="button"
        className={styles.received}
        title={t`Who reacted`}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        {given.map(({ emoji, figure }) => (
          <span key={emoji} className={styles.given}>
            <span role="img" aria-label={i18n._(reactionNames[emoji])} className={styles.emoji}>
              {emoji}
            </span>{' '}
            <span className={styles.count}>{figure}</span>
          </span>
        ))}
      </button>
      {isOpen && (
        <Suspense>
          <WhoReacted logId={id} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
