export { MailService, hashOfMailedToken, invalidLink, newMailedToken } from './mail.service.ts';
