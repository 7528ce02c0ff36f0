import { companySetupRequestSchema } from '@caravan/contracts/http/organisations';
import { profileRequestSchema } from '@caravan/contracts/http/people';
import { expect, test } from 'vitest';
import { commentRequestSchema } from '@caravan/contracts/http/comments';
import { demoCompany, demoFollows, demoOrganisation, demoPeople } from './people.ts';
import { demoComments, demoReactions } from './responses.ts';

test('[D26 2.107] Maya has 3 followers and follows 4', () => {
  expect(demoFollows.filter(([, followee]) => followee === 'Maya')).toHaveLength(3);
  expect(demoFollows.filter(([follower]) => follower === 'Maya')).toHaveLength(4);
  for (const [follower, followee] of demoFollows) {
    expect(follower).not.toBe(followee);
    for (const name of [follower, followee])
      expect(demoPeople.filter((person) => person.name.startsWith(`${name} `))).toHaveLength(1);
  }
});

test('[5.15 5.25] the demo says nothing that the product would refuse', () => {
  expect(companySetupRequestSchema.parse(demoCompany).companyName).toBe(demoOrganisation);
  for (const { below, by, text, mentions = [] } of demoComments) {
    expect(commentRequestSchema.parse({ text }).text).toBe(text);
    for (const name of [below, by, ...mentions])
      expect(demoPeople.filter((person) => person.name.startsWith(`${name} `))).toHaveLength(1);
    for (const name of mentions)
      expect(text).toContain(`@${demoPeople.find((person) => person.name.startsWith(`${name} `))?.name ?? '?'}`);
  }
  for (const [to, , people] of demoReactions)
    for (const name of [to, ...people])
      expect(demoPeople.filter((person) => person.name.startsWith(`${name} `))).toHaveLength(1);
  for (const { profile = {} } of demoPeople) expect(profileRequestSchema.parse(profile)).toEqual(profile);
});
