import { useLingui } from '@lingui/react/macro';
import { Share } from 'lucide-react';
import { useState } from 'react';
import { useBranding } from '../../lib/branding.ts';
import type { Moment } from '../../lib/moment.ts';
import { shareOrSave } from '../../lib/share-file.ts';
import { useDistance } from '../../lib/units.ts';
import { Button } from '../../ui/button.tsx';
import { drawPicture } from '../../ui/scene/picture.ts';
import { toast } from '../../ui/toast-state.ts';
import type { Milestone } from './facts.ts';
import styles from './moment.module.css';

/** Shares a picture of the moment, with own figures alone, or saves it where the browser cannot share. */
export function ShareButton({ moment, milestone }: { moment: Moment; milestone?: Milestone }) {
  const { t } = useLingui();
  const { figure, long } = useDistance();
  const { primaryColor, secondaryColor } = useBranding();
  const [isBusy, setIsBusy] = useState(false);
  const share = async () => {
    setIsBusy(true);
    try {
      const picture = await drawPicture({
        title: milestone === undefined ? moment.title : t`days in a row`,
        figure: milestone === undefined ? `+${figure(moment.miles)}` : String(milestone),
        unit: milestone === undefined ? long : '',
        first: primaryColor,
        second: secondaryColor,
      });
      await shareOrSave(picture, t`My miles`);
    } catch {
      toast({ title: t`Error`, description: t`The picture could not be shared.`, tone: 'error' });
    } finally {
      setIsBusy(false);
    }
  };
  return (
    <Button
      variant="glass"
      size="small"
      className={styles.share}
      isBusy={isBusy}
      onClick={() => void share()}
      aria-label={t`Share a picture`}
    >
      {!isBusy && <Share size={20} aria-hidden="true" />}
    </Button>
  );
}
