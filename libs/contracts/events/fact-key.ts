export type KeyHolder = 'person' | 'organisation';

/** Ordering unit of facts and key of their messages; its holder decides who can wait for its positions. */
export type FactKey<Holder extends KeyHolder = KeyHolder> = { readonly of: Holder; readonly id: string };
export type PersonKey = FactKey<'person'>;
export type OrganisationKey = FactKey<'organisation'>;

export const personKey = (userId: string): PersonKey => ({ of: 'person', id: userId });
export const organisationKey = (orgId: string): OrganisationKey => ({ of: 'organisation', id: orgId });
