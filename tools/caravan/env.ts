/** What the launcher reads from its surroundings; the only place in it that does. */
export const env = {
  /** Folder of one running instance: its data, logs and addresses. Default `.caravan` in the checkout. */
  home: process.env['CARAVAN_HOME'],
  /** Port of the gateway on 127.0.0.1. */
  port: Number(process.env['CARAVAN_PORT'] ?? '8080'),
};

/** The surroundings of a child: what the machine needs to run it, and nothing that might be meant for another one. */
export function childEnvironment(variables: Record<string, string>): Record<string, string> {
  const inherited = Object.entries(process.env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && !entry[0].startsWith('CARAVAN_'),
  );
  return { ...Object.fromEntries(inherited), ...variables };
}
