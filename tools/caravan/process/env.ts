/** The only place of the launcher that reads its surroundings. */
export const env = {
  instanceDir: process.env['CARAVAN_HOME'],
  port: Number(process.env['CARAVAN_PORT'] ?? '8080'),
  path: process.env['PATH'] ?? '',
  /** A container engine that is to be used instead of podman. */
  dockerHost: process.env['DOCKER_HOST'],
  /** Apps that are registered at the platforms themselves: what is named here is passed on and not simulated. */
  hasAppAt: {
    strava: (process.env['STRAVA_CLIENT_ID'] ?? '') !== '',
    googleHealth: (process.env['GOOGLE_HEALTH_CLIENT_ID'] ?? '') !== '',
  },
};

/** This process's own surroundings without what is meant for the launcher, and the child's variables. */
export function childEnvironment(variables: Record<string, string>): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('CARAVAN_'));
  return { ...Object.fromEntries(inherited), ...variables };
}
