import { moreActivities, presetActivities } from '@caravan/contracts/activities';
import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { Ellipsis, Plus } from 'lucide-react';
import { useState } from 'react';
import { frequentActivitiesQuery } from '../../lib/frequent-activities.ts';
import { Button } from '../../ui/button.tsx';
import { Chip } from '../../ui/chip.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import styles from './timer.module.css';

const longestName = 60;
/** So many of one's own stand beside the presets. */
const shownOwn = 3;

/** Which activity: four presets, what one does most, a menu of more, or a name of one's own (2.71 to 2.73). */
export function ActivityChoice({ activity, onChoose }: { activity: string; onChoose: (activity: string) => void }) {
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
    <fieldset className={styles.choice}>
      <legend>{t`Activity`}</legend>
      {presetActivities.map(({ name, emoji, description }) => (
        <Chip key={name} isPressed={name === activity} title={description} onClick={() => onChoose(name)}>
          <span aria-hidden="true">{emoji}</span> {name}
        </Chip>
      ))}
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
