export { inOrganisationOrder, organisationStore } from './organisation.store.ts';
