export { MailService, hashOfMailedToken, invalidLink, newMailedToken } from './mail.service.ts';
export { confirmedAddressOf } from './rendered-mail.ts';
