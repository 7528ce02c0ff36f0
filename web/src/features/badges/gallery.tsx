import type { GalleryBadge } from '@caravan/contracts/http/badges';
import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { Flame, Milestone, Sparkles } from 'lucide-react';
import { useState } from 'react';
import { formatCount } from '../../lib/format.ts';
import { meQuery } from '../../lib/me.ts';
import { Chip } from '../../ui/button.tsx';
import { Card, Page, Stack } from '../../ui/page.tsx';
import { Loading, Skeleton } from '../../ui/skeleton.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { Together } from '../../ui/together.tsx';
import { earnedBadgesQuery, galleryQuery } from './api.ts';
import { categoriesOf } from './badges.ts';
import styles from './gallery.module.css';
import { Strip } from './strip.tsx';
import { Detail, Tile } from './tile.tsx';

/** Everything that can be earned on the way (2.94). */
export function Gallery() {
  const { t } = useLingui();
  const { data: badges, isPending, refetch } = useQuery(galleryQuery);
  const strip = useQuery(earnedBadgesQuery);
  // A notice of a badge leads to it.
  const meant = useLocation({ select: ({ hash }) => hash });
  return (
    <Page title={t`Badge Gallery`} lead={t`What your miles, days and stops have earned.`}>
      <Loading isLoading={isPending} skeleton={<GallerySkeleton />}>
        {() =>
          badges ? (
            // The strip would push down the catalogue below it.
            <Together queries={[strip]} skeleton={<GallerySkeleton />}>
              <Stack>
                <Strip />
                <Catalogue key={meant} badges={badges} openAtFirst={meant} />
                <Tips />
              </Stack>
            </Together>
          ) : (
            <Card>
              <ErrorState
                title={t`Unable to load badges`}
                hint={t`Please try again later.`}
                onRetry={() => void refetch()}
              />
            </Card>
          )
        }
      </Loading>
    </Page>
  );
}

function Catalogue({ badges, openAtFirst }: { badges: readonly GalleryBadge[]; openAtFirst: string }) {
  const { t } = useLingui();
  const [category, setCategory] = useState<GalleryBadge['category'] | null>(null);
  const [openId, setOpenId] = useState<string | null>(openAtFirst);
  const nameOf = useCategoryName();
  const shown = badges.filter((badge) => category === null || badge.category === category);
  const [earned, total] = [shown.filter(({ isEarned }) => isEarned).length, shown.length].map(formatCount);
  const open = badges.find(({ badgeId }) => badgeId === openId);
  return (
    <section aria-label={t`All badges`}>
      <div className={styles.filters} role="group" aria-label={t`Category`}>
        <Chip isPressed={category === null} onClick={() => setCategory(null)}>{t`All`}</Chip>
        {categoriesOf(badges).map((each) => (
          <Chip key={each} isPressed={category === each} onClick={() => setCategory(each)}>
            {nameOf(each)}
          </Chip>
        ))}
      </div>
      <p className={styles.count} role="status">
        <Trans>
          <b>{earned}</b> / {total} earned
        </Trans>
      </p>
      <ul className={styles.tiles}>
        {shown.map((badge) => (
          <li key={badge.badgeId}>
            <Tile badge={badge} onOpen={() => setOpenId(badge.badgeId)} />
          </li>
        ))}
      </ul>
      {open && <Detail badge={open} onClose={() => setOpenId(null)} />}
    </section>
  );
}

const waiting = ['a', 'b', 'c', 'd', 'e', 'f'];

const GallerySkeleton = () => (
  <Stack>
    <Skeleton height={168} />
    <ul className={styles.tiles}>
      {waiting.map((key) => (
        <li key={key}>
          <Skeleton height={176} />
        </li>
      ))}
    </ul>
  </Stack>
);

/** How to come by the next one (2.94). */
function Tips() {
  const { t } = useLingui();
  const { data: me } = useQuery(meQuery);
  // Null where the organisation does without (D11).
  const freezes = me?.streakFreezes ?? null;
  const tips = [
    { icon: Milestone, name: t`Milestones`, text: t`Every mile counts. Ten minutes of any movement are one.` },
    {
      icon: Flame,
      name: t`Streaks`,
      text:
        freezes === null
          ? t`One log a day keeps the flame lit; a short walk is enough.`
          : t`One log a day keeps the flame lit; on a day off a freeze holds it. You have ${freezes} of 2.`,
    },
    { icon: Sparkles, name: t`Activity`, text: t`Try something new, show a photo, take on a challenge.` },
  ];
  return (
    <Card title={t`How to earn the next one`}>
      <dl className={styles.tips}>
        {tips.map(({ icon: Icon, name, text }) => (
          <div key={name}>
            <dt>
              <Icon size={20} aria-hidden="true" />
              {name}
            </dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}

/** The categories as people read them. */
function useCategoryName() {
  const { t } = useLingui();
  const names: Record<GalleryBadge['category'], string> = {
    Milestones: t`Milestones`,
    Streaks: t`Streaks`,
    Activity: t`Activity`,
    Journey: t`Journey`,
  };
  return (category: GalleryBadge['category']) => names[category];
}
