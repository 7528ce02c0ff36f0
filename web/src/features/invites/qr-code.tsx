import { useLingui } from '@lingui/react/macro';
import { encode } from 'uqr';
import { pathOf } from './invite.ts';
import styles from './invites.module.css';

/** Black on white in any theme: cameras want it so. */
export function QrCode({ text }: { text: string }) {
  const { t } = useLingui();
  const { data, size } = encode(text, { border: 2 });
  return (
    <svg className={styles.qr} viewBox={`0 0 ${size} ${size}`} role="img" aria-label={t`QR code of the link`}>
      <path d={pathOf(data)} shapeRendering="crispEdges" />
    </svg>
  );
}
