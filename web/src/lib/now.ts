import { createStore } from './store.ts';

const tickMilliseconds = 30_000;

let now = Date.now();
let isTicking = false;

const clock = createStore((tell) => {
  isTicking = true;
  const tick = () => {
    now = Date.now();
    tell();
  };
  const timer = setInterval(tick, tickMilliseconds);
  // A page in the background ticks slowly, and not at all while the device sleeps.
  document.addEventListener('visibilitychange', tick);
  return () => {
    clearInterval(timer);
    document.removeEventListener('visibilitychange', tick);
    isTicking = false;
  };
});

function currentTick(): number {
  // Between renders the answer must hold still; a second is still enough here. A clock may also be set back.
  if (!isTicking && Math.abs(Date.now() - now) > 1000) now = Date.now();
  return now;
}

/** Milliseconds since 1970, moving every half minute: for 'ago' and countdowns, one clock for the whole page. */
export const useNow = (): number => clock.use(currentTick);
