export { MailService, hashOfMailedToken, invalidLink, newMailedToken } from './mail.service.ts';
export { confirmedAddressOf } from './rendered-mail.ts';
export type { ConfirmedAddress } from './rendered-mail.ts';
export { mailServer, MailServerAway } from './smtp.client.ts';
export { settledSeconds } from './mails.job.ts';
