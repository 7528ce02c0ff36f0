import { Suspense } from 'react';
import { lazyPart } from '../lib/lazy-part.ts';
import { endMoment, useMoment } from '../lib/moment.ts';

/** Beside every screen, and seldom needed. */
const MomentParts = lazyPart(async () => (await import('./-moment-parts.tsx')).MomentParts);

/** Celebrates the log that was just saved, over the screen that follows it. */
export function MomentAfterLog() {
  const moment = useMoment();
  if (!moment) return null;
  return (
    <Suspense>
      <MomentParts moment={moment} onEnd={endMoment} />
    </Suspense>
  );
}
