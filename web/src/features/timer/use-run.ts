import { useEffect, useMemo, useState } from 'react';
import { useSession } from '../../lib/session-state.ts';
import { createStorageStore } from '../../lib/store.ts';
import {
  clearLog,
  detailRun,
  elapsedSeconds,
  isForgotten,
  keepRun,
  type LogDetails,
  pauseRun,
  readRun,
  resumeRun,
  startRun,
  touchRun,
  trimRun,
  type Purpose,
  type Run,
} from './run.ts';

const tickMilliseconds = 250;
const store = createStorageStore();

/** Every person of a browser has a timer of their own. */
const keyOf = (userId: string) => `caravan:timer:${userId}`;

/** The timer of this person in this browser, the same in all tabs; it survives reloads. */
export function useRun() {
  const key = keyOf(useSession().user?.id ?? '');
  const text = store.use(() => localStorage.getItem(key));
  const run = useMemo(() => readRun(text), [text]);
  const isRunning = run !== null && run.runningSince !== null;
  const now = useTicks(isRunning);
  const become = (next: Run | null) => {
    if (next) localStorage.setItem(key, JSON.stringify(next));
    else localStorage.removeItem(key);
    store.tell();
  };
  return {
    run,
    isRunning,
    isForgotten: run !== null && isForgotten(run, now),
    seconds: run ? elapsedSeconds(run, now) : 0,
    start: (purpose: Purpose) => become(startRun(Date.now(), purpose)),
    pause: () => run && become(pauseRun(run, Date.now())),
    resume: () => run && become(resumeRun(run, Date.now())),
    choose: (activity: string) => run && become({ ...run, activity }),
    detail: (details: LogDetails) => {
      // A photo arrives later than it was asked for: what was typed meanwhile stays.
      const latest = readRun(localStorage.getItem(key));
      if (latest) become(detailRun(latest, details));
    },
    clearLog: () => run && become(clearLog(run)),
    keep: () => run && become(keepRun(run, Date.now())),
    trim: () => run && become(trimRun(run)),
    touch: () => {
      const touched = run && touchRun(run, Date.now());
      if (touched !== run) become(touched);
    },
    reset: () => become(null),
  };
}

function useTicks(isRunning: boolean): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (!isRunning) return undefined;
    const tick = () => setNow(Date.now());
    const timer = setInterval(tick, tickMilliseconds);
    // A tab in the background ticks slowly; it must not show an old time when it comes back.
    document.addEventListener('visibilitychange', tick);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', tick);
    };
  }, [isRunning]);
  return now;
}

/** Any touch or key on any screen says that somebody is there. */
export function useTouches(isOn: boolean, onTouch: () => void): void {
  useEffect(() => {
    if (!isOn) return undefined;
    const events = ['pointerdown', 'keydown', 'touchstart'] as const;
    for (const name of events) addEventListener(name, onTouch, { passive: true });
    return () => {
      for (const name of events) removeEventListener(name, onTouch);
    };
  });
}

/** Keeps the screen awake where the browser offers it; it lets go by itself whenever the page is hidden. */
export function useWakeLock(isOn: boolean): void {
  useEffect(() => {
    if (!isOn || !('wakeLock' in navigator)) return undefined;
    const hold = () => (document.visibilityState === 'visible' ? navigator.wakeLock.request('screen') : undefined);
    let lock = hold()?.catch(() => undefined);
    const again = () => {
      lock = hold()?.catch(() => undefined);
    };
    document.addEventListener('visibilitychange', again);
    return () => {
      document.removeEventListener('visibilitychange', again);
      void lock?.then((held) => held?.release());
    };
  }, [isOn]);
}
