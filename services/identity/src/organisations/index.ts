export { zonesSql } from './organisation-zones.ts';
export { closeOrganisation, foundOrganisation, inOrganisationOrder } from './organisation.store.ts';
