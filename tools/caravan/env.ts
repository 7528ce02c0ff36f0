/** What the launcher reads from its surroundings; the only place in it that does. */
export const env = {
  /** Folder of the running instance: its data, logs and addresses. Default: `.caravan` in the checkout. */
  instanceDir: process.env['CARAVAN_HOME'],
  /** Port of the gateway on 127.0.0.1. */
  port: Number(process.env['CARAVAN_PORT'] ?? '8080'),
  path: process.env['PATH'] ?? '',
};

/** The surroundings of a child: this process's own without what is meant for the launcher, and the child's variables. */
export function childEnvironment(variables: Record<string, string>): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('CARAVAN_'));
  return { ...Object.fromEntries(inherited), ...variables };
}
