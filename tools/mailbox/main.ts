import { startMailbox } from './mailbox.ts';

// node main.js <folder> <SMTP port> <HTTP port> [<address that both listen at>]
const [folder, smtpPort, httpPort, host] = process.argv.slice(2);
if (folder === undefined) {
  process.stderr.write('Which folder are mails kept in?\n');
  process.exit(1);
}
const ports = { smtp: Number(smtpPort ?? 0), http: Number(httpPort ?? 0) };
const mailbox = await startMailbox(folder, ports, host);
process.stdout.write(`Mail comes in at ${mailbox.smtp} and is read at ${mailbox.http}\n`);
process.once('SIGTERM', () => void mailbox.close().then(() => process.exit(0)));
