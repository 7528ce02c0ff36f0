import { useLingui } from '@lingui/react/macro';
import { useDates } from '../../lib/dates.ts';
import { usable } from '../../lib/photos.ts';
import { useSession } from '../../lib/session-state.ts';
import { useDistance } from '../../lib/units.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { hourOf } from '../../ui/scene/hours.ts';
import { Slice } from '../../ui/scene/slice.tsx';
import type { Run } from './run.ts';
import styles from './timer.module.css';

/** On wide screens: the post as the team will see it. */
export function PostPreview({ run, miles }: { run: Run; miles: number }) {
  const { t } = useLingui();
  const { user } = useSession();
  const { inField } = useDates();
  const { figure, short } = useDistance();
  const previewUrl = usable(run.photo)?.previewUrl ?? '';
  return (
    <div className={styles.preview} aria-hidden="true">
      {t`This is how your team will see it`}
      <div className={styles.post}>
        <div className={styles.poster}>
          <Avatar name={user?.name ?? ''} photoUrl={user?.profilePhotoUrl} />
          <p>
            <b>{user?.name}</b>
            <small>{t`just now`}</small>
          </p>
        </div>
        {previewUrl === '' ? (
          <Slice
            id={String(run.firstStartedAt)}
            hour={hourOf(Number(inField(run.firstStartedAt).slice(11, 13)))}
            activity={run.activity}
            miles={miles}
          >
            <b>+{figure(miles)}</b> {short}
          </Slice>
        ) : (
          <img src={previewUrl} alt="" />
        )}
        <p className={styles.words} dir="auto">
          <b>{run.activity}</b>
          {run.description ? `\n${run.description}` : ''}
        </p>
      </div>
    </div>
  );
}
