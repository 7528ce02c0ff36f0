import { useEffect, useState } from 'react';
import { elapsedSeconds, pauseRun, readRun, resumeRun, startRun, type Run } from './run.ts';

const key = 'caravan:timer';
const tickMilliseconds = 250;

/** The running timer of this browser: it survives a reload and keeps the screen awake where that is offered. */
export function useRun() {
  const [run, setRun] = useState<Run | null>(() => readRun(localStorage.getItem(key)));
  const isRunning = run?.runningSince != null;
  const now = useTicks(isRunning);
  useWakeLock(isRunning);
  const become = (next: Run | null) => {
    if (next) localStorage.setItem(key, JSON.stringify(next));
    else localStorage.removeItem(key);
    setRun(next);
  };
  return {
    run,
    isRunning,
    seconds: run ? elapsedSeconds(run, now) : 0,
    start: () => become(startRun(Date.now())),
    pause: () => run && become(pauseRun(run, Date.now())),
    resume: () => run && become(resumeRun(run, Date.now())),
    reset: () => become(null),
  };
}

function useTicks(isRunning: boolean): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (!isRunning) return undefined;
    const timer = setInterval(() => setNow(Date.now()), tickMilliseconds);
    return () => clearInterval(timer);
  }, [isRunning]);
  return now;
}

function useWakeLock(isRunning: boolean): void {
  useEffect(() => {
    if (!isRunning || !('wakeLock' in navigator)) return undefined;
    // The browser lets go of it whenever the page is hidden.
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
  }, [isRunning]);
}
