import type { FeedPost } from '@caravan/contracts/http/feed';
import { useLingui } from '@lingui/react/macro';
import { useDates } from '../../lib/dates.ts';
import { useDistance } from '../../lib/units.ts';
import { Photo } from '../../ui/photo.tsx';
import { hourOf } from '../../ui/scene/hours.ts';
import { Slice } from '../../ui/scene/slice.tsx';
import styles from './entry-picture.module.css';

/** A card of a feed is as wide as a telephone, or as a column of text. */
export const photoWidths = '(min-width: 700px) 640px, 92vw';

type Entry = Pick<FeedPost, 'id' | 'createdAt' | 'activityType' | 'photo' | 'photoUrl'> & {
  /** A number or a numeric text. */
  distanceMiles: number | string;
};

/** The picture of an entry: its photo with the miles on it, or a drawing of the hour it happened. */
export function EntryPicture({ entry, name }: { entry: Entry; name: string }) {
  const { t } = useLingui();
  const { inField } = useDates();
  const { id, activityType, createdAt, photo, photoUrl } = entry;
  if (photoUrl)
    return (
      <div className={styles.shot}>
        <Photo
          className={styles.photo}
          src={photoUrl}
          photo={photo}
          otherwise={t`Photo by ${name}: ${activityType}`}
          sizes={photoWidths}
        />
        <p className={styles.over}>
          <Miles miles={entry.distanceMiles} />
        </p>
      </div>
    );
  return (
    <Slice
      id={id}
      hour={hourOf(Number(inField(createdAt).slice(11, 13)))}
      activity={activityType}
      miles={Number(entry.distanceMiles)}
    >
      <Miles miles={entry.distanceMiles} />
    </Slice>
  );
}

function Miles({ miles }: { miles: number | string }) {
  const { t } = useLingui();
  const { figure, short } = useDistance();
  // An import that its owner has not consented to be scored (D21).
  if (Number(miles) === 0) return t`Not scored`;
  return (
    <>
      <b>+{figure(miles)}</b> {short}
    </>
  );
}
