import { basename, dirname } from 'node:path';

export const isMigration = (file: string): boolean => /(^|\/)migrations\/.*\.sql$/.test(file.replaceAll('\\', '/'));

/** Databases are migrated when an instance starts, so a changed migration needs a restart. Says so once for each file. */
export function announcingMigrations(print: (line: string) => void): (file: string) => void {
  const announced = new Set<string>();
  return (file) => {
    if (announced.has(file)) return;
    announced.add(file);
    const name = basename(file) === 'migration.sql' ? basename(dirname(file)) : basename(file);
    print(
      `The migration ${name} changed, and databases are migrated at the start only. Stop with Ctrl-C and start again; ` +
        'when it was carried out before, run `./caravan reset` in between.',
    );
  };
}
