import { startGoogleHealth } from './google-health/google-health.ts';
import { settingsSchema } from './settings.ts';
import { startStrava } from './strava/strava.ts';

const given: unknown = JSON.parse(process.env['SIMULATORS'] ?? 'null');
const { strava, googleHealth, folder, host, names, callbackOrigin } = settingsSchema.parse(given);
const common = {
  folder,
  callbackOrigin,
  isAutomatic: true,
  ...(host !== undefined && { host }),
  ...(names !== undefined && { names }),
};
const running = await Promise.all([
  ...(strava ? [startStrava({ ...common, ...strava })] : []),
  ...(googleHealth ? [startGoogleHealth({ ...common, ...googleHealth })] : []),
]);
for (const platform of running) process.stdout.write(`${platform.name} is simulated at ${platform.url}\n`);
process.once('SIGTERM', () => void Promise.all(running.map((each) => each.close())).then(() => process.exit(0)));
