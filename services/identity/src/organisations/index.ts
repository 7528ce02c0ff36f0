export { zonesSql } from './organisation-zones.ts';
export { inOrganisationOrder, organisationStore } from './organisation.store.ts';
