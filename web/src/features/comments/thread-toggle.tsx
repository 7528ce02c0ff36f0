import { plural } from '@lingui/core/macro';
import { MessageCircle } from 'lucide-react';
import { Suspense, useId, useState } from 'react';
import { formatCount } from '../../lib/format.ts';
import { lazyPart } from '../../lib/lazy-part.ts';
import { Button } from '../../ui/button.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import styles from './comments.module.css';

const fetchThread = () => import('./thread.tsx');
const Thread = lazyPart(async () => (await fetchThread()).Thread);

/** How many comments an entry has; on a press they open below it. */
export function ThreadToggle({
  entryId,
  comments,
  isOpenAtFirst = false,
}: {
  entryId: string;
  comments: number;
  isOpenAtFirst?: boolean;
}) {
  const id = useId();
  const [isOpen, setOpen] = useState(isOpenAtFirst);
  return (
    <>
      <Button
        variant="plain"
        size="small"
        className={styles.toggle}
        aria-expanded={isOpen}
        aria-controls={id}
        aria-label={plural(comments, { one: '# comment', other: '# comments' })}
        onPointerEnter={() => void fetchThread()}
        onClick={() => setOpen(!isOpen)}
      >
        <MessageCircle size={20} aria-hidden="true" />
        {formatCount(comments)}
      </Button>
      <div id={id} className={styles.below} hidden={!isOpen}>
        {isOpen && (
          <Suspense fallback={<Skeleton height={64} />}>
            <Thread entryId={entryId} />
          </Suspense>
        )}
      </div>
    </>
  );
}
