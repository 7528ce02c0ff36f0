import { onlyZone } from '@caravan/contracts/domain/time/organisation-zone';
import { specOf } from '@caravan/event-store/testing/given-when-then';
import { describe, expect, test } from 'vitest';
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
  const switchedEvent = (areOn: boolean) =>
    ({ type: 'StreakFreezesSwitched', data: { areOn, switchedAt: at.toISOString() } }) as const;

  test('[D11] they are on until they are switched off, and can be had back', () => {
    given(founded).when(turn(true)).thenNothing();
    given(founded).when(turn(false)).then(switchedEvent(false));
    given(founded, switchedEvent(false)).when(turn(false)).thenNothing();
    given(founded, switchedEvent(false)).when(turn(true)).then(switchedEvent(true));
    given(founded, switchedEvent(false), switchedEvent(true)).when(turn(false)).then(switchedEvent(false));
  });

  test('[D11 7.32] setting the company up leaves them as they are, and they leave the set-up', () => {
    given(founded, switchedEvent(false), companySetUp).when(turn(false)).thenNothing();
    given(founded, companySetUp, switchedEvent(false))
      .when({ ...setUp, hasNews: false })
      .thenNothing();
    given(founded, switchedEvent(false))
      .when({ ...setUp, hasNews: false })
      .then(companySetUp);
  });

  test('[D4] needs an organisation', () => {
    given().when(turn(false)).rejects('company/not-found', 'not-found');
  });
});

describe('changing the time zone', () => {
  const berlin = onlyZone('Europe/Berlin');
  const to = (timeZone: string, zones = berlin) => ({ type: 'ChangeTimeZone', zones, timeZone }) as const;
  const changes = [{ from: '2026-11-23', timeZone: 'Asia/Tokyo' }];
  const toTokyo = { first: 'Europe/Berlin', changes };
  const changedEvent = (zones: typeof toTokyo) =>
    ({ type: 'OrganisationTimeZoneChanged', data: { zones, changedAt: at.toISOString() } }) as const;

  test('[D10] is told with all zones of the organisation, and not where it is the same zone', () => {
    given(founded).when(to('Asia/Tokyo')).then(changedEvent(toTokyo));
    given(founded).when(to('Europe/Berlin')).thenNothing();
    given(founded, changedEvent(toTokyo)).when(to('Asia/Tokyo', toTokyo)).thenNothing();
    given(founded, changedEvent(toTokyo))
      .when(to('Europe/Berlin', toTokyo))
      .then(changedEvent({ first: 'Europe/Berlin', changes: [] }));
  });

  test('[D10 D11 7.32] leaves the set-up and the freezes as they are', () => {
    given(founded, companySetUp, changedEvent(toTokyo))
      .when({ ...setUp, hasNews: false })
      .thenNothing();
    given(founded, changedEvent(toTokyo)).when({ type: 'SwitchStreakFreezes', areOn: true }).thenNothing();
  });

  test('[D4] needs an organisation', () => {
    given().when(to('Asia/Tokyo')).rejects('company/not-found', 'not-found');
  });
});

describe('closing an organisation', () => {
  const close = { type: 'CloseOrganisation' } as const;
  const closed = { type: 'OrganisationClosed', data: { closedAt: at.toISOString() } } as const;

  test('[D43] happens once, set up or not', () => {
    given(founded).when(close).then(closed);
    given(founded, companySetUp).when(close).then(closed);
    given(founded, closed).when(close).thenNothing();
  });

  test('[D4] needs an organisation', () => {
    given().when(close).rejects('company/not-found', 'not-found');
  });

  test('[D43] leaves nothing to found, to set up or to switch', () => {
    const over = given(founded, companySetUp, closed);
    over.when(found).thenNothing();
    over.when(setUp).rejects('company/not-found', 'not-found');
    over.when({ type: 'SwitchStreakFreezes', areOn: false }).rejects('company/not-found', 'not-found');
  });
});

test('[ADR-0001] organisations are found under the category that they were stored under', () => {
  expect(organisation.category).toBe('organisation');
});
