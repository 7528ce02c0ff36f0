import { useLingui } from '@lingui/react/macro';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Avatar } from '../../ui/avatar.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Loading, Skeleton } from '../../ui/skeleton.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { PersonName } from '../../ui/text.tsx';
import { useFocusOnMore } from '../../ui/use-focus-on-more.ts';
import { reactionsQuery } from './api.ts';
import { reactionNames } from './reaction-names.ts';
import styles from './reactions.module.css';

/** Who cheered for a post, and how; names by their owners' choice (D18). */
export function WhoReacted({ logId, onClose }: { logId: string; onClose: () => void }) {
  const { t, i18n } = useLingui();
  const reactions = useInfiniteQuery(reactionsQuery(logId));
  const { box, onMore } = useFocusOnMore('li');
  const rows = reactions.data?.pages.flatMap((page) => page?.rows ?? []);
  return (
    <Dialog isOpen title={t`Who reacted`} onOpenChange={(isOpen) => isOpen || onClose()}>
      <Loading isLoading={reactions.isPending} skeleton={<Skeleton height={132} />}>
        {() =>
          rows ? (
            <div ref={box}>
              <ul className={styles.people}>
                {rows.map(({ emoji, user }, index) => (
                  // Somebody without a name may stand here more than once.
                  <li key={index}>
                    <Avatar name={user.name} photoUrl={user.avatar} />
                    <b>
                      <PersonName profileId={user.profileId} name={user.name} />
                    </b>
                    <span role="img" aria-label={i18n._(reactionNames[emoji])}>
                      {emoji}
                    </span>
                  </li>
                ))}
              </ul>
              {reactions.hasNextPage && (
                <Button
                  variant="quiet"
                  isWide
                  isBusy={reactions.isFetchingNextPage}
                  onClick={() => {
                    onMore();
                    void reactions.fetchNextPage();
                  }}
                >
                  {t`Show more`}
                </Button>
              )}
            </div>
          ) : (
            <ErrorState
              title={t`The reactions could not be loaded`}
              hint={t`Please try again later.`}
              onRetry={() => void reactions.refetch()}
            />
          )
        }
      </Loading>
    </Dialog>
  );
}
