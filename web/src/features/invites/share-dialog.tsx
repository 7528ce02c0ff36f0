import type { Invite } from '@caravan/contracts/http/organisations';
import { useLingui } from '@lingui/react/macro';
import { Copy } from 'lucide-react';
import { Suspense } from 'react';
import { lazyPart } from '../../lib/lazy-part.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { toast } from '../../ui/toast-state.ts';
import styles from './invites.module.css';

const QrCode = lazyPart(async () => (await import('./qr-code.tsx')).QrCode);

/** A word of it is enough (9.27). */
const copiedMilliseconds = 3000;

/** The link and the code to send, the QR code to show. */
export function ShareDialog({ invite, onClose }: { invite: Invite; onClose: () => void }) {
  const { t } = useLingui();
  return (
    <Dialog
      isOpen
      title={t`Share the invite`}
      description={t`The link opens the sign-up with the code filled in.`}
      onOpenChange={(isOpen) => isOpen || onClose()}
    >
      <div className={styles.share}>
        <Suspense fallback={<Skeleton width={200} height={200} />}>
          <QrCode text={invite.url} />
        </Suspense>
        <Copyable label={t`Link`} text={invite.url} action={t`Copy link`} done={t`Link copied`} />
        <Copyable label={t`Code`} text={invite.code} action={t`Copy code`} done={t`Code copied`} />
      </div>
    </Dialog>
  );
}

function Copyable({ label, text, action, done }: { label: string; text: string; action: string; done: string }) {
  const { t } = useLingui();
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      toast({ title: done, tone: 'good', durationMilliseconds: copiedMilliseconds });
    } catch {
      // Without leave to write, the text can still be taken by hand (8.20).
      prompt(t`Copy this:`, text);
    }
  };
  return (
    <div className={styles.copyable}>
      <div>
        <p>{label}</p>
        <code>{text}</code>
      </div>
      <Button variant="quiet" size="small" aria-label={action} onClick={() => void copy()}>
        <Copy size={18} aria-hidden="true" />
        {t`Copy`}
      </Button>
    </div>
  );
}
