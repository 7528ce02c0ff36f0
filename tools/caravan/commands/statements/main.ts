import { serviceNames } from '@caravan/contracts/events/topics';
import { inForeground } from '../../process/foreground.ts';
import { emptyInstanceDir, instanceDirAt, instanceDirs } from '../../process/paths.ts';
import { databasePasswords, databaseUrls, prepareDatabases } from '../../servers/databases.ts';
import { secretsOf } from '../../servers/instance-files.ts';
import { startPostgres } from '../../servers/postgres.ts';
import { checkStatements } from './checking.ts';

/** Statements that nothing checks before they are sent. This may only fall. */
const unreadAllowed = 28;

const instanceDir = instanceDirAt(instanceDirs.statements);

process.exitCode = await inForeground(instanceDir, async (supervisor) => {
  emptyInstanceDir(instanceDir);
  const secrets = secretsOf(instanceDir);
  const postgres = await startPostgres(supervisor, instanceDir, secrets, { isDurable: false });
  const passwords = databasePasswords(secrets);
  await prepareDatabases(postgres, passwords);
  const urls = serviceNames.map((service) => [service, databaseUrls(postgres, passwords, service).owner]);
  const { statements, texts, compared, errors, unread, skipped, otherReceivers } = await checkStatements(
    Object.fromEntries(urls) as Record<(typeof serviceNames)[number], string>,
  );
  const lines = [
    ...unread.map((statement) => `unread: ${statement}`),
    ...errors.map((error) => `wrong: ${error}`),
    ...[...skipped].map(([message, times]) => `skipped: ${times} samples (${message})`),
    ...[...otherReceivers].map(([name, times]) => `not SQL: ${times} calls of ${name}`),
    `${statements} statements, ${texts} texts, ${compared} compared with a type; ${errors.length} errors, ${unread.length} unread`,
  ];
  if (unread.length !== unreadAllowed)
    lines.push(`${unreadAllowed} may be unread. More are not taken; for fewer lower the number in main.ts.`);
  process.stdout.write(`${lines.join('\n')}\n`);
  return { exitCode: errors.length === 0 && unread.length === unreadAllowed ? 0 : 1 };
});
