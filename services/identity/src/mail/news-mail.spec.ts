import { expect, test } from 'vitest';
import { type NewsMail, renderNews, type TidingInMail } from './news-mail.ts';
import type { ConfirmedAddress } from './rendered-mail.ts';

const sender = { organization: 'Acme', publicUrl: 'https://caravan.example' };
const tiding = (part: TidingInMail['part'], text: string, lines: string[] = []): TidingInMail => ({
  part,
  text,
  lines,
  link: '/feed',
});
const render = (...tidings: TidingInMail[]) => {
  const to = 'maya@example.org' as ConfirmedAddress;
  const mail: NewsMail = { to, name: 'Maya', tidings, mailsCalled: 'Email notifications', unsubscribeToken: 't' };
  return renderNews(mail, sender);
};

test('[D34] a mail of one thing is that thing: its subject, without headings', () => {
  const { subject, text, html } = render(tiding('people', 'Mei cheered your walk'));
  expect(subject).toBe('Mei cheered your walk');
  expect(text).toMatch(
    /^Hello Maya,\n\n- Mei cheered your walk\n {2}https:\/\/caravan.example\/feed\n\nAcme on Caravan\n/,
  );
  expect(html).not.toContain('<h2');
});

test('[D34] a mail of several parts tells the week first, then colleagues, oneself and the team, each under its heading', () => {
  const { subject, text, html } = render(
    tiding('team', 'Thunder reached Chester'),
    tiding('people', 'Mei cheered your walk'),
    tiding('people', 'Omar follows you'),
    tiding('own', 'You earned the badge Early Bird'),
    tiding('week', 'Your week: 3 of you moved 12.0 miles together', ['1. Thunder, 8.0 miles']),
  );
  expect(subject).toBe('Your week: 3 of you moved 12.0 miles together, and 4 more');
  const said = text.split('\n').filter((line) => /^(- |.*:$)/.test(line));
  expect(said).toEqual([
    'The week:',
    '- Your week: 3 of you moved 12.0 miles together',
    'Your colleagues:',
    '- Mei cheered your walk',
    '- Omar follows you',
    'Your own way:',
    '- You earned the badge Early Bird',
    'Your team:',
    '- Thunder reached Chester',
  ]);
  expect([...html.matchAll(/<h2[^>]*>([^<]+)/g)].map(([, heading]) => heading)).toEqual([
    'The week',
    'Your colleagues',
    'Your own way',
    'Your team',
  ]);
});

test('[D34] several things of one part need no heading, and of very many the newest stand in it', () => {
  const many = Array.from({ length: 25 }, (_, nth) => tiding('people', `Number ${nth} cheered`));
  const { subject, text } = render(...many);
  expect(subject).toBe('Number 5 cheered, and 24 more');
  expect(text).not.toContain('Your colleagues');
  expect(text).toContain('And 5 more in the app.');
  expect(render(tiding('own', 'x'.repeat(200)), tiding('own', 'Two')).subject).toHaveLength(79);
});
