import { exportStateSchema, personRowsSchema } from '@caravan/contracts/http/people';
import { eventually } from '@caravan/event-store/testing/eventually';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type MailingIdentity, startMailingIdentity } from '../../testing/addresses.ts';
import { memberAtNoon, startTelling, tomorrow, type Telling } from '../../testing/notices.ts';
import { claimsOf, idOf, joinOrganisation } from '../../testing/organisations.ts';
import { type PeerServices, startPeerServices, urlsOf } from '../../testing/peer-services.ts';
import { unzip } from '@caravan/service-kit/testing/unzip';
import type { Visitor } from '../../testing/visitor.ts';
import { MailNotices } from '../notices/mail-notices.job.ts';

let peers: PeerServices;
let mailing: MailingIdentity;
let telling: Telling;
beforeAll(async () => {
  peers = await startPeerServices();
  mailing = await startMailingIdentity({ ...urlsOf(peers) }, true);
  telling = await startTelling(mailing);
});
afterAll(async () => {
  await telling.close();
  await mailing.close();
  await peers.close();
});

type Row = Readonly<Record<string, unknown>>;

async function exportOf(person: Visitor): Promise<(file: string) => Row[]> {
  await mailing.identity.rows('delete from exports where user_id = $1', [idOf(person)]);
  await person.post('/api/me/export');
  await eventually(async () => {
    const { body } = await person.get('/api/me/export');
    expect(exportStateSchema.parse(body)).toMatchObject({ state: 'ready' });
  });
  const headers = { authorization: `Bearer ${person.token}` };
  const file = await fetch(`${mailing.identity.url}/api/me/export/file`, { headers });
  const files = unzip(Buffer.from(await file.arrayBuffer()));
  return (name) => JSON.parse(files[`account/${name}.json`] ?? '[]') as Row[];
}

const readList = async (person: Visitor, list: 'followers' | 'following') => {
  const { body } = await person.get(`/api/users/${idOf(person)}/${list}`);
  return personRowsSchema.parse(body).map(({ name }) => name);
};
const everything = { profileVisible: true, activityVisible: true, statsVisible: true };
const choices = [
  ['everything', everything],
  ['no profile', { ...everything, profileVisible: false }],
  ['no activity', { ...everything, activityVisible: false }],
  ['no figures', { ...everything, statsVisible: false }],
  ['nothing', { profileVisible: false, activityVisible: false, statsVisible: false }],
] as const;

/** By kind of notice: what a member must show for it to name them. */
const needs: Readonly<Record<string, readonly (keyof typeof everything)[]>> = {
  reaction: ['activityVisible'],
  comment: ['activityVisible'],
  mention: ['activityVisible'],
  follower: ['profileVisible'],
  'rank-lost': ['statsVisible', 'profileVisible'],
  'invite-used': [],
};

async function colleagues() {
  const { visitor: maya, email } = await memberAtNoon(mailing);
  const { org } = claimsOf(maya);
  const mei = await joinOrganisation(mailing.identity, org, { name: 'Mei Tanaka' });
  const omar = await joinOrganisation(mailing.identity, org, { name: 'Omar Haddad' });
  for (const other of [mei, omar]) {
    await maya.call('PUT', `/api/users/${idOf(other)}/follow`);
    await other.call('PUT', `/api/users/${idOf(maya)}/follow`);
  }
  return { maya, mei, email };
}

describe.each(choices)('a colleague who shows %s', (_, privacy) => {
  test('[D18 D46 S22] stands in the export’s followers and followed as in the lists of the app', async () => {
    const { maya, mei } = await colleagues();
    await mei.call('PATCH', '/api/me/settings', { privacy });
    const files = await exportOf(maya);
    for (const list of ['followers', 'following'] as const) {
      const names = files(list).map(({ name }) => name);
      expect(names.toSorted()).toEqual((await readList(maya, list)).toSorted());
      expect(names.includes('Mei Tanaka')).toBe(privacy.profileVisible);
      expect(names).toContain('Omar Haddad');
    }
  });

  test('[D18 D34 S22] is named by mails and in their export only as the notification centre may name them', async () => {
    const { maya, mei, email } = await colleagues();
    for (const kind of Object.keys(needs))
      await telling.due(maya, { kind, text: `Mei Tanaka: ${kind}`, namedIds: [idOf(mei)], link: `/user/${idOf(mei)}` });
    await mei.call('PATCH', '/api/me/settings', { privacy });
    const named = Object.keys(needs).filter((kind) => needs[kind]?.every((choice) => privacy[choice]));
    const files = await exportOf(maya);
    const rows = files('notices-by-mail-and-push');
    expect(rows.map(({ kind }) => kind).toSorted()).toEqual(Object.keys(needs).toSorted());
    for (const { kind, text, link } of rows) {
      const isNamed = named.includes(String(kind));
      expect([kind, text]).toEqual([kind, isNamed ? `Mei Tanaka: ${String(kind)}` : null]);
      expect([kind, link]).toEqual([kind, isNamed ? `/user/${idOf(mei)}` : null]);
    }
    await mailing.identity.app.get(MailNotices).mailDue(tomorrow);
    const mails = mailing.server.mails.filter(({ to }) => to.includes(email.toLowerCase()));
    const told = mails.map(({ text }) => text).join('\n');
    for (const kind of Object.keys(needs))
      expect([kind, told.includes(`Mei Tanaka: ${kind}`)]).toEqual([kind, named.includes(kind)]);
  });
});
