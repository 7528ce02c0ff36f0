export { OrganisationProvisioner } from './sign-up.service.ts';
