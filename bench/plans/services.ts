import { eventually } from '@caravan/event-store/testing/eventually';
import { startActivity } from '@caravan/activity/testing/activity-under-test';
import { startIdentity } from '@caravan/identity/testing/identity';
import { startScoring } from '@caravan/scoring/testing/scoring-under-test';
import type { TestService } from '@caravan/service-kit/testing/service';
import { memberJoined, memberOf, startSocial } from '@caravan/social/testing/social-under-test';
import { z } from 'zod';
import type { Place } from '../seeding/place.ts';

type Answer = { readonly status: number; readonly body: unknown };

export type Organisation = { readonly place: Place; get(path: string): Promise<Answer> };

export type ServiceOfOrganisations = Pick<TestService, 'pool' | 'ownerUrl' | 'close'> & {
  foundOrganisation(): Promise<Organisation>;
};

const timeZone = 'Europe/Berlin';
let places = 0;
const placeOf = (founder: { orgId: string; userId: string; teamId: string }, teamIds: readonly string[]): Place => {
  places += 1;
  return { orgId: founder.orgId, timeZone, teamIds, founder: { ...founder, token: '' }, number: places };
};

const claimsSchema = z.object({ sub: z.string(), org: z.string() });
const claimsOf = (token: string) =>
  claimsSchema.parse(JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()));

async function identity(): Promise<ServiceOfOrganisations> {
  const service = await startIdentity();
  return {
    ...service,
    foundOrganisation: async () => {
      const visitor = await service.signedIn({ organizationName: `Caravan ${places}`, timeZone });
      const { sub: userId, org: orgId } = claimsOf(visitor.token ?? '');
      const teams = await service.rows<{ id: string }>('select team_id as id from teams where org_id = $1', [orgId]);
      const [teamId = '', ...others] = teams.map(({ id }) => id);
      return {
        place: placeOf({ orgId, userId, teamId }, [teamId, ...others]),
        get: (path) => visitor.get(path),
      };
    },
  };
}

async function activity(): Promise<ServiceOfOrganisations> {
  const service = await startActivity();
  return {
    ...service,
    foundOrganisation: async () => {
      const member = await service.join({ timeZone });
      const api = await service.as(member);
      return { place: placeOf(member, [member.teamId]), get: (path) => api.get(path) };
    },
  };
}

async function scoring(): Promise<ServiceOfOrganisations> {
  const service = await startScoring();
  return {
    ...service,
    foundOrganisation: async () => {
      const { teams, members } = await service.foundOrganisation(['Maya'], timeZone);
      const [maya] = members;
      if (!maya) throw new Error('a founder');
      await eventually(async () => {
        const known = await service.rows(maya.orgId, 'select from members where org_id = $1');
        if (known.length === 0) throw new Error('not known yet');
      });
      const api = await service.as(maya);
      const place = placeOf(
        maya,
        teams.map(({ teamId }) => teamId),
      );
      return { place, get: (path) => api.get(path) };
    },
  };
}

async function social(): Promise<ServiceOfOrganisations> {
  const service = await startSocial();
  return {
    ...service,
    foundOrganisation: async () => {
      const maya = memberOf(crypto.randomUUID(), crypto.randomUUID(), 'Maya');
      await service.tell(maya.orgId, memberJoined(maya));
      await eventually(async () => {
        const known = await service.rows(maya.orgId, 'select from members where org_id = $1');
        if (known.length === 0) throw new Error('not known yet');
      });
      const api = await service.as(maya);
      return { place: placeOf(maya, [maya.teamId]), get: (path) => api.get(path) };
    },
  };
}

export const starts = { identity, activity, scoring, social } as const;
