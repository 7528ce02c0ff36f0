import type { Recap } from '@caravan/contracts/http/recaps';
import { useLingui } from '@lingui/react/macro';
import { useMutation } from '@tanstack/react-query';
import { Image } from 'lucide-react';
import { useState } from 'react';
import { serverMessage } from '../../lib/http-error.ts';
import { download } from '../../lib/image-files.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/page.tsx';
import { toast } from '../../ui/toast-state.ts';
import { pictureAddress } from './api.ts';
import styles from './recaps.module.css';

/** A picture of teams and figures; the own miles are on it only if one wants that. */
export function Share({ recap: { id, weekStartDate } }: { recap: Recap }) {
  const { t } = useLingui();
  const [isWithOwn, setWithOwn] = useState(false);
  const { mutate, isPending } = useMutation({
    mutationFn: () => download(pictureAddress(id, isWithOwn), 'image/png', `caravan-${weekStartDate}.png`),
    onError: (error) =>
      toast({
        title: t`Error`,
        tone: 'error',
        description: serverMessage(error, t`The picture could not be drawn. Please try again.`),
      }),
  });
  return (
    <Card title={t`Share the week`}>
      <div className={styles.share}>
        <p>{t`A picture with teams and figures. Nobody’s name is on it.`}</p>
        <label className={styles.with}>
          <input type="checkbox" checked={isWithOwn} onChange={(event) => setWithOwn(event.target.checked)} />
          {t`With my name and miles`}
        </label>
        <Button variant="quiet" isBusy={isPending} onClick={() => mutate()}>
          <Image size={20} aria-hidden="true" />
          {t`Download picture`}
        </Button>
      </div>
    </Card>
  );
}
