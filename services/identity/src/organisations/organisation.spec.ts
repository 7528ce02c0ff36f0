import { specOf } from '@caravan/event-store/testing/given-when-then';
import { describe, test } from 'vitest';
import { organisation, type SetUpCompany } from './organisation.ts';

const at = new Date('2026-11-16T08:00:00.000Z');
const given = specOf(organisation, { at });
const found = { type: 'FoundOrganisation' } as const;
const founded = { type: 'OrganisationFounded', data: { foundedAt: at.toISOString() } } as const;
const described = { employeeRange: '51-100', brandTraits: ['bold', 'playful'] };
const setUp: SetUpCompany = { type: 'SetUpCompany', ...described, hasNews: true };
const companySetUp = { type: 'CompanySetUp', data: { ...described, setUpAt: at.toISOString() } } as const;

test('[D1] an organisation is founded once', () => {
  given().when(found).then(founded);
  given(founded).when(found).thenNothing();
  given(founded, companySetUp).when(found).thenNothing();
});

describe('setting up the company', () => {
  test('[7.32] is told the first time, and again when it says something new', () => {
    given(founded)
      .when({ ...setUp, hasNews: false })
      .then(companySetUp);
    given(founded).when(setUp).then(companySetUp);
    given(founded, companySetUp).when(setUp).then(companySetUp);
    given(founded, companySetUp)
      .when({ ...setUp, hasNews: false })
      .thenNothing();
  });

  test('[D4] needs an organisation', () => {
    given().when(setUp).rejects('company/not-found', 'not-found');
  });
});

describe('switching the freezes of streaks', () => {
  const turn = (areOn: boolean) => ({ type: 'SwitchStreakFreezes', areOn }) as const;
  const switched = (areOn: boolean) =>
    ({ type: 'StreakFreezesSwitched', data: { areOn, switchedAt: at.toISOString() } }) as const;

  test('[D11] they are on until they are switched off, and can be had back', () => {
    given(founded).when(turn(true)).thenNothing();
    given(founded).when(turn(false)).then(switched(false));
    given(founded, switched(false)).when(turn(false)).thenNothing();
    given(founded, switched(false)).when(turn(true)).then(switched(true));
    given(founded, switched(false), switched(true)).when(turn(false)).then(switched(false));
  });

  test('[D11 7.32] setting the company up leaves them as they are, and they leave the set-up', () => {
    given(founded, switched(false), companySetUp).when(turn(false)).thenNothing();
    given(founded, companySetUp, switched(false))
      .when({ ...setUp, hasNews: false })
      .thenNothing();
    given(founded, switched(false))
      .when({ ...setUp, hasNews: false })
      .then(companySetUp);
  });

  test('[D4] needs an organisation', () => {
    given().when(turn(false)).rejects('company/not-found', 'not-found');
  });
});
