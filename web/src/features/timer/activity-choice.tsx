import { moreActivities, presetActivities } from '@caravan/contracts/domain/movement/activities';
import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import clsx from 'clsx';
import { Ellipsis, Plus } from 'lucide-react';
import { useId, useState } from 'react';
import { frequentActivitiesQuery } from '../../lib/me.ts';
import { activityDrawings } from '../../ui/activity-drawings.ts';
import { Button, Chip } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Draw } from '../../ui/drawing.tsx';
import { TextField } from '../../ui/field.tsx';
import styles from './timer.module.css';

const longestName = 60;
/** So many of one's own stand beside the presets. */
const shownOwn = 3;

/** Which activity: four presets, what one does most, a menu of more, or a name of one's own (2.71 to 2.73). */
export function ActivityChoice({
  activity,
  onChoose,
  ground = 'paper',
}: {
  activity: string;
  onChoose: (activity: string) => void;
  ground?: 'paper' | 'scene';
}) {
  const { t } = useLingui();
  const [isMoreOpen, setMoreOpen] = useState(false);
  const { data: frequent } = useQuery(frequentActivitiesQuery);
  const own = (frequent ?? []).map(({ activityName }) => activityName).filter((name) => !isPreset(name));
  const shown = own.slice(0, shownOwn);
  const choose = (name: string) => {
    setMoreOpen(false);
    onChoose(name);
  };
  return (
    <fieldset className={clsx(styles.choice, ground === 'scene' && styles.onScene)}>
      <legend>{t`Activity`}</legend>
      <div className={styles.presets}>
        {presetActivities.map(({ name }) => (
          <Preset key={name} name={name} isPressed={name === activity} onChoose={onChoose} />
        ))}
      </div>
      {shown.map((name) => (
        <Chip key={name} isPressed={name === activity} onClick={() => onChoose(name)}>
          {name}
        </Chip>
      ))}
      {!isPreset(activity) && !shown.includes(activity) && <Chip isPressed>{activity}</Chip>}
      <Dialog
        title={t`Choose an activity`}
        isOpen={isMoreOpen}
        onOpenChange={setMoreOpen}
        trigger={
          <Chip>
            <Ellipsis size={18} aria-hidden="true" /> {t`More`}
          </Chip>
        }
      >
        <div className={styles.more}>
          {[...new Set([...own, ...moreActivities])].map((name) => (
            <Chip key={name} isPressed={name === activity} onClick={() => choose(name)}>
              {name}
            </Chip>
          ))}
        </div>
        <CustomActivity onChoose={choose} />
      </Dialog>
    </fieldset>
  );
}

type PresetName = (typeof presetActivities)[number]['name'];

const descriptions: Record<PresetName, MessageDescriptor> = {
  Walking: msg`A stroll, the way to work, a walk with the dog`,
  Running: msg`A jog, a sprint, a run for the bus`,
  Biking: msg`Outdoors, to the shops, or on a trainer`,
  Stretching: msg`At the desk, on the mat, before bed`,
};

/** Its name, and in words that everybody sees what counts as it (2.71). */
function Preset({
  name,
  isPressed,
  onChoose,
}: {
  name: PresetName;
  isPressed: boolean;
  onChoose: (name: string) => void;
}) {
  const { i18n } = useLingui();
  const id = useId();
  return (
    <Chip
      className={styles.preset}
      isPressed={isPressed}
      aria-describedby={`${id}-what`}
      onClick={() => onChoose(name)}
    >
      <Draw drawing={activityDrawings[name]} size={24} />
      <span>{name}</span>
      {/* Told as what describes the button, not as part of its name. */}
      <small id={`${id}-what`} aria-hidden="true">
        {i18n._(descriptions[name])}
      </small>
    </Chip>
  );
}

const isPreset = (activity: string) => presetActivities.some(({ name }) => name === activity);

function CustomActivity({ onChoose }: { onChoose: (activity: string) => void }) {
  const { t } = useLingui();
  const [typed, setTyped] = useState('');
  const name = typed.trim();
  return (
    <form
      className={styles.custom}
      onSubmit={(event) => {
        event.preventDefault();
        if (name) onChoose(name);
      }}
    >
      <TextField
        label={t`Something else`}
        placeholder={t`Raking leaves`}
        maxLength={longestName}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
      <Button type="submit" variant="quiet" disabled={!name}>
        <Plus size={20} aria-hidden="true" />
        {t`Use it`}
      </Button>
    </form>
  );
}
