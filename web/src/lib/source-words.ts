import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';

const sources: Readonly<Record<string, MessageDescriptor>> = {
  strava: msg`Strava`,
  fitbit: msg`Fitbit`,
  'apple-watch': msg`Apple Watch`,
  'google-fit': msg`Google Fit`,
  timer: msg`the timer`,
  manual: msg`your own log`,
};

/** Where the workout that counts instead came from; undefined for what only its own name tells. */
export const sourceWords = (source: string): MessageDescriptor | undefined => sources[source];
