import { BackgroundWork } from '../background-work.ts';
import { createLog } from '../log.ts';
import { Metrics } from '../metrics.ts';
import { Sweeps } from '../sweeps.ts';

const ownMetrics = () => new Metrics('test', { hasProcessMetrics: false });

/** The record of background work of a second process. */
export const ownBackground = (): BackgroundWork => new BackgroundWork(ownMetrics());

/** The sweeps of a second process, with a silent log. */
export const ownSweeps = (): Sweeps =>
  new Sweeps(createLog({ service: 'test', level: 'silent' }), ownMetrics(), ownBackground());
