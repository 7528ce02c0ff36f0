import { specOf } from '@caravan/event-store/testing/given-when-then';
import { test } from 'vitest';
import { organisation } from './organisation.ts';

const at = new Date('2026-11-16T08:00:00.000Z');
const given = specOf(organisation, { at });
const found = { type: 'FoundOrganisation' } as const;
const founded = { type: 'OrganisationFounded', data: { foundedAt: at.toISOString() } } as const;

test('[D1] an organisation is founded once', () => {
  given().when(found).then(founded);
  given(founded).when(found).thenNothing();
});
