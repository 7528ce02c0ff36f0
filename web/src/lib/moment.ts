import { createStore } from './store.ts';

/** A log that was just saved, as the moment after it tells of it. */
export type Moment = {
  /** 'Activity Logged!' or 'Bonus Challenge Complete!'. */
  readonly title: string;
  /** The notice's sentence, which says how many miles were earned. */
  readonly sentence: string;
  readonly miles: number;
  /** YYYY-MM-DD, the member's date of the movement. */
  readonly on: string;
  /** When the server had answered, in milliseconds since 1970. */
  readonly at: number;
};

let moment: Moment | null = null;
const store = createStore();

/** Celebrates a log on the next screen. A reload ends it: nothing is celebrated twice. */
export function showMoment(next: Moment): void {
  moment = next;
  store.tell();
}

export function endMoment(): void {
  if (moment === null) return;
  moment = null;
  store.tell();
}

export const useMoment = (): Moment | null => store.use(() => moment);
