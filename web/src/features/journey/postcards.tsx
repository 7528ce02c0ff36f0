import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { formatDate } from '../../lib/format.ts';
import { Card } from '../../ui/card.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { EmptyState } from '../../ui/states.tsx';
import styles from './journey.module.css';
import { Picture } from './picture.tsx';
import type { Stop } from './way.ts';

/** A card from every stop that the own team has reached, the last first. */
export function Postcards({ stops }: { stops: readonly Stop[] }) {
  const { t } = useLingui();
  const [openName, setOpenName] = useState<string | null>(null);
  const reached = stops.map((stop, index) => ({ ...stop, index })).filter(({ isReached }) => isReached);
  const open = reached.find(({ checkpoint }) => checkpoint.name === openName);
  return (
    <Card title={t`Postcards`}>
      {reached.length === 0 ? (
        <EmptyState title={t`No postcards yet`} hint={t`The first one waits at the first stop.`} />
      ) : (
        <ul className={styles.postcards}>
          {reached.toReversed().map((stop) => (
            <li key={stop.checkpoint.name}>
              <button type="button" className={styles.postcard} onClick={() => setOpenName(stop.checkpoint.name)}>
                <Picture index={stop.index} />
                <b>{stop.checkpoint.name}</b>
                <span>
                  <ReachedOn stop={stop} />
                </span>
              </button>
            </li>
          ))}
        </ul>
      )}
      {open && (
        <Dialog
          isOpen
          title={t`Greetings from ${open.checkpoint.name}`}
          onOpenChange={(isOpen) => isOpen || setOpenName(null)}
        >
          <Picture index={open.index} stamp={open.checkpoint.country} />
          <p className={styles.story}>{open.checkpoint.story}</p>
          <p className={styles.quiet}>
            {open.checkpoint.name}, {open.checkpoint.country} · <ReachedOn stop={open} />
          </p>
        </Dialog>
      )}
    </Card>
  );
}

function ReachedOn({ stop: { reachedAt } }: { stop: Stop }) {
  const date = reachedAt === null ? '' : formatDate(new Date(reachedAt), { dateStyle: 'long' });
  return reachedAt === null ? <Trans>Where the way began</Trans> : date;
}
