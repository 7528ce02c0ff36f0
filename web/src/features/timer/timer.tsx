import { presetActivities, customMinutesPerMile } from '@caravan/contracts/activities';
import { useLingui } from '@lingui/react/macro';
import { PencilLine, Pause, Play, Square } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useDistance } from '../../lib/units.ts';
import { Button } from '../../ui/button.tsx';
import { Tag } from '../../ui/chip.tsx';
import { Page } from '../../ui/page.tsx';
import { toast } from '../../ui/toast-state.ts';
import { ActivityChoice } from './activity-choice.tsx';
import { Dial } from './dial.tsx';
import { LogForm } from './log-form.tsx';
import { ManualLog } from './manual-log.tsx';
import { presetOf, type TimerSearch } from './preset.ts';
import { isLongEnough } from './run.ts';
import styles from './timer.module.css';
import { useRun } from './use-run.ts';

const activityKey = 'caravan:timer-activity';

type Phase = 'timer' | 'log' | 'manual';

/** The activity timer: time first, then the log it ends in; or a log of what no timer saw. */
export function Timer({ search }: { search: TimerSearch }) {
  const { t } = useLingui();
  const [preset] = useState(() => presetOf(search));
  const [phase, setPhase] = useState<Phase>('timer');
  const [activity, setActivity] = useActivity(preset.activity);
  const timer = useRun();
  const { run, isRunning, seconds } = timer;

  const { startsAtOnce } = preset;
  useEffect(() => {
    if (startsAtOnce && !run) timer.start();
    // Once, when the screen opens: what the address asks for is not asked again.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [startsAtOnce]);

  const toggle = () => (isRunning ? timer.pause() : run ? timer.resume() : timer.start());
  const stop = () => {
    timer.pause();
    if (isLongEnough(seconds)) return setPhase('log');
    timer.reset();
    toast({ title: t`Timer Stopped`, description: t`Activity must be at least 1 minute to log.`, tone: 'error' });
    return undefined;
  };
  useSpaceBar(phase === 'timer', toggle);

  if (phase === 'manual')
    return (
      <Page title={t`Log manually`} lead={t`10 minutes of any activity = 1 mile`} width="text">
        <ManualLog onDone={() => setPhase('timer')} />
      </Page>
    );
  if (phase === 'log' && run)
    return (
      <Page title={t`Log your activity`} width="text">
        <LogForm
          seconds={seconds}
          startedAt={run.firstStartedAt}
          activity={activity}
          onActivity={setActivity}
          bonusChallengeId={preset.bonusChallengeId}
          onCancel={() => setPhase('timer')}
          onLogged={timer.reset}
        />
      </Page>
    );
  return (
    <Page title={t`Timer`} lead={t`10 minutes of any activity = 1 mile`} width="text">
      <div className={styles.timer}>
        {preset.bonusChallengeId !== undefined && <Tag tone="brand">{t`Bonus challenge: miles count double`}</Tag>}
        <Dial seconds={seconds} isPaused={run !== null && !isRunning} isBonus={preset.bonusChallengeId !== undefined} />
        <Pace activity={activity} seconds={seconds} />
        <div className={styles.controls}>
          <Button onClick={toggle} className={styles.main}>
            {isRunning ? <Pause aria-hidden="true" /> : <Play aria-hidden="true" />}
            {isRunning ? t`Pause` : run ? t`Resume` : t`Start`}
          </Button>
          <Button variant="quiet" onClick={stop} disabled={!run}>
            <Square aria-hidden="true" size={18} />
            {t`Stop`}
          </Button>
        </div>
        <ActivityChoice activity={activity} onChoose={setActivity} />
        <Tips />
        {!run && (
          <Button variant="plain" onClick={() => setPhase('manual')}>
            <PencilLine size={20} aria-hidden="true" />
            {t`Log manually`}
          </Button>
        )}
      </div>
    </Page>
  );
}

/** The chosen activity outlives a reload together with the run it belongs to. */
function useActivity(preset: string | undefined): [string, (activity: string) => void] {
  const [activity, setActivity] = useState(() => preset ?? localStorage.getItem(activityKey) ?? 'Walking');
  const choose = (name: string) => {
    localStorage.setItem(activityKey, name);
    setActivity(name);
  };
  return [activity, choose];
}

/** The way covered is an estimate by pace (9.2); what counts are the minutes. */
function Pace({ activity, seconds }: { activity: string; seconds: number }) {
  const { t } = useLingui();
  const { figure, long } = useDistance();
  const pace = presetActivities.find(({ name }) => name === activity)?.minutesPerMile ?? customMinutesPerMile;
  return <p className={styles.pace}>{t`About ${figure(seconds / 60 / pace)} ${long} covered on the way`}</p>;
}

function Tips() {
  const { t } = useLingui();
  const tips = [t`Chores count: hoovering is movement.`, t`A pause keeps your time.`, t`Space starts and pauses.`];
  return (
    <ul className={styles.tips} aria-label={t`Tips`}>
      {tips.map((tip) => (
        <li key={tip}>{tip}</li>
      ))}
    </ul>
  );
}

function useSpaceBar(isOn: boolean, toggle: () => void): void {
  useEffect(() => {
    if (!isOn) return undefined;
    const onKey = (event: KeyboardEvent) => {
      const isControl =
        event.target instanceof Element && event.target.closest('button, a, input, textarea, [role="dialog"]');
      if (event.code !== 'Space' || isControl) return;
      event.preventDefault();
      toggle();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  });
}
