import { createFileRoute } from '@tanstack/react-router';
import { Suspense } from 'react';
import { Feed } from '../../features/feed/feed.tsx';
import { lazyPart } from '../../lib/lazy-part.ts';
import { useIsSpacious } from '../../lib/media.ts';
import { threadOf } from './-thread-of.tsx';

const FeedSide = lazyPart(async () => (await import('./-feed-side.tsx')).FeedSide);

export const Route = createFileRoute('/_member/feed')({ component: FeedRoute });

function FeedRoute() {
  const isSpacious = useIsSpacious();
  const side = (
    <Suspense>
      <FeedSide />
    </Suspense>
  );
  return <Feed threadOf={threadOf} side={isSpacious && side} />;
}
