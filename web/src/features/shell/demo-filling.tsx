import { useLingui } from '@lingui/react/macro';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { pause } from '../../lib/backoff.ts';
import { isDemoFilling } from '../../lib/demo-filling.ts';
import styles from './demo-filling.module.css';

const lookMilliseconds = 2_000;

/** Says that more is coming while the demo is being filled, and shows what has come. */
export function DemoFilling() {
  const { t } = useLingui();
  const queryClient = useQueryClient();
  const [isFilling, setIsFilling] = useState(true);
  useEffect(() => {
    const stop = new AbortController();
    void untilFilled(stop.signal, () => queryClient.invalidateQueries()).then(() => setIsFilling(false));
    return () => stop.abort();
  }, [queryClient]);
  return (
    <p role="status" className={isFilling ? styles.notice : styles.gone}>
      {isFilling && t`The demo is being filled. It takes about half a minute.`}
    </p>
  );
}

async function untilFilled(signal: AbortSignal, onLook: () => Promise<void>): Promise<void> {
  while (!signal.aborted) {
    await pause(lookMilliseconds, signal);
    // While the server does not answer, nothing is known.
    const isFilling = await isDemoFilling(signal).catch(() => true);
    await onLook();
    if (!isFilling) return;
  }
}
