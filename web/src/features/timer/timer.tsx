import { useLingui } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import clsx from 'clsx';
import { Pause, PencilLine, Play, Square, Watch } from 'lucide-react';
import { type ComponentType, useEffect, useState } from 'react';
import { useDates } from '../../lib/dates.ts';
import { formatDuration } from '../../lib/format.ts';
import type { PhotoChoiceProps } from '../../lib/photos.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { FullScene, Page } from '../../ui/page.tsx';
import { Scene } from '../../ui/scene/scene.tsx';
import { toast } from '../../ui/toast-state.ts';
import { ActivityChoice } from './activity-choice.tsx';
import { Dial, Pace } from './dial.tsx';
import { BonusMark, LogForm } from './log-form.tsx';
import { ManualLog } from './manual-log.tsx';
import { RunFigures } from './run-figures.tsx';
import { isSamePurpose, presetOf, type TimerSearch } from './preset.ts';
import { elapsedSeconds, isBeingLogged, isLongEnough, type Run, trimRun, wholeMinutes } from './run.ts';
import styles from './timer.module.css';
import { useRun, useWakeLock } from './use-run.ts';

type Phase = 'timer' | 'log' | 'manual';

/** The activity timer: time first, then the log it ends in; or a log of what no timer saw. */
export function Timer({ search, PhotoChoice }: { search: TimerSearch; PhotoChoice: ComponentType<PhotoChoiceProps> }) {
  const { t } = useLingui();
  const timer = useRun();
  const [phase, setPhase] = useState<Phase>(timer.run && isBeingLogged(timer.run) ? 'log' : 'timer');
  useStartAtOnce(search, timer);
  useWakeLock(timer.isRunning);
  const toTimer = () => setPhase('timer');

  if (phase === 'manual')
    return (
      <Page title={t`Log manually`} lead={t`10 minutes of any activity = 1 mile`} width="text">
        <ManualLog PhotoChoice={PhotoChoice} onDone={toTimer} />
      </Page>
    );
  if (phase === 'log' && timer.run)
    return (
      <Page title={t`Log your activity`}>
        <LogForm
          run={timer.run}
          seconds={timer.seconds}
          onActivity={timer.choose}
          PhotoChoice={PhotoChoice}
          onDetails={timer.detail}
          onCancel={() => {
            timer.clearLog();
            toTimer();
          }}
          onLogged={timer.reset}
        />
      </Page>
    );
  return (
    <FullScene
      title={t`Timer`}
      scene={(head) => (
        <Scene seed={5} className={styles.run} sun={{ className: styles.sun }}>
          {head}
          <Clock timer={timer} onStopped={() => setPhase('log')} onManual={() => setPhase('manual')} />
        </Scene>
      )}
    />
  );
}

/** What the address asks for is started once, when the screen opens; a run under way is never thrown away for it. */
function useStartAtOnce(search: TimerSearch, { run, start }: ReturnType<typeof useRun>): void {
  const { t } = useLingui();
  useEffect(() => {
    const preset = presetOf(search);
    if (!preset) return;
    if (!run) start(preset);
    else if (!isSamePurpose(run, preset))
      toast({
        title: t`Your timer is already running`,
        description: t`Stop and log it, then start the next one.`,
        tone: 'error',
      });
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, []);
}

/** Phase one: idle, running or paused. */
function Clock({
  timer,
  onStopped,
  onManual,
}: {
  timer: ReturnType<typeof useRun>;
  onStopped: () => void;
  onManual: () => void;
}) {
  const { t } = useLingui();
  const { run, isRunning, seconds } = timer;
  const [idleActivity, setIdleActivity] = useState('Walking');
  const purpose = run ?? { activity: idleActivity, targetMinutes: null, bonus: null };
  const toggle = () => {
    if (isRunning) return timer.pause();
    return run ? timer.resume() : timer.start(purpose);
  };
  const begin = run ? t`Resume` : t`Start`;
  const choose = (activity: string) => {
    setIdleActivity(activity);
    timer.choose(activity);
  };
  const stop = () => {
    timer.pause();
    if (isLongEnough(seconds)) return onStopped();
    timer.reset();
    toast({ title: t`Timer Stopped`, description: t`Activity must be at least 1 minute to log.`, tone: 'error' });
    return undefined;
  };
  useSpaceBar(!timer.isForgotten, toggle);
  return (
    <div className={styles.timer}>
      <div className={styles.clock}>
        <BonusMark purpose={purpose} />
        <Dial purpose={purpose} seconds={seconds} isPaused={run !== null && !isRunning} />
        <Pace purpose={purpose} seconds={seconds} isIdle={!run} />
        <div className={styles.controls}>
          <button type="button" className={styles.round} onClick={stop} disabled={!run}>
            <Square aria-hidden="true" size={30} strokeWidth={3.2} />
            <span>{t`Stop`}</span>
          </button>
          <button type="button" className={clsx(styles.round, styles.main)} onClick={toggle}>
            {isRunning ? <Pause aria-hidden="true" size={34} /> : <Play aria-hidden="true" size={34} />}
            <span>{isRunning ? t`Pause` : begin}</span>
          </button>
        </div>
        <p className={styles.rule}>{t`10 minutes of any activity = 1 mile`}</p>
      </div>
      <div className={styles.beside}>
        <RunFigures seconds={seconds} purpose={purpose} />
        <ActivityChoice activity={purpose.activity} onChoose={choose} ground="scene" />
        <Tips />
        {!run && (
          <div className={styles.ways}>
            <Button variant="glass" size="small" onClick={onManual}>
              <PencilLine size={20} aria-hidden="true" />
              {t`Log manually`}
            </Button>
            <Button asChild variant="glass" size="small">
              <Link to="/account-settings">
                <Watch size={20} aria-hidden="true" />
                {t`Connect a fitness device`}
              </Link>
            </Button>
          </div>
        )}
      </div>
      {run && timer.isForgotten && <Forgotten run={run} seconds={seconds} onKeep={timer.keep} onTrim={timer.trim} />}
    </div>
  );
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
      if (event.code !== 'Space' || event.repeat || isControl) return;
      event.preventDefault();
      toggle();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  });
}

/** Two hours without a touch: perhaps the timer ran on alone. Nothing is thrown away unasked. */
function Forgotten({
  run,
  seconds,
  onKeep,
  onTrim,
}: {
  run: Run;
  seconds: number;
  onKeep: () => void;
  onTrim: () => void;
}) {
  const { t } = useLingui();
  const { formatDate } = useDates();
  const at = formatDate(run.touchedAt, { weekday: 'long', hour: 'numeric', minute: '2-digit' });
  const cut = formatDuration(wholeMinutes(elapsedSeconds(trimRun(run), run.touchedAt)));
  const whole = formatDuration(Math.floor(seconds / 60));
  return (
    <Dialog
      isOpen
      title={t`Are you still moving?`}
      description={t`Your timer has been running for ${whole}. The last sign of life was on ${at}.`}
      onOpenChange={(isOpen) => isOpen || onKeep()}
    >
      <div className={styles.asked}>
        <Button onClick={onKeep}>{t`Yes, keep ${whole}`}</Button>
        <Button variant="quiet" onClick={onTrim}>{t`No, cut it back to ${cut}`}</Button>
      </div>
    </Dialog>
  );
}
