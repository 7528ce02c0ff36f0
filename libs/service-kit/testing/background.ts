import { BackgroundWork } from '../telemetry/background-work.ts';
import { createLog } from '../telemetry/log.ts';
import { Metrics } from '../telemetry/metrics.ts';
import { Sweeps } from '../jobs/sweeps.ts';

const ownMetrics = () => new Metrics('test', { hasProcessMetrics: false });

/** The record of background work of a second process. */
export const ownBackground = (): BackgroundWork => new BackgroundWork(ownMetrics());

/** The sweeps of a second process, with a silent log. */
export const ownSweeps = (): Sweeps =>
  new Sweeps(createLog({ service: 'test', level: 'silent' }), ownMetrics(), ownBackground());
