import { describe, expect, test } from 'vitest';
import { renderMail } from './rendered-mail.ts';
import type { ConfirmedAddress, LinkMail, Notice } from './rendered-mail.ts';

const sender = { organization: 'Acme', publicUrl: 'https://caravan.example' };
const at = new Date('2026-11-21T14:05:00.000Z');
const to = { to: 'maya@example.org' as ConfirmedAddress, name: 'Maya', at };
const link = { to: 'maya@example.org', name: 'Maya', organization: 'Acme', token: 'a_b-c' };
const reset: LinkMail = { ...link, about: 'password-reset' };
const undos: LinkMail[] = [false, true].map((hasChanged) => ({
  ...link,
  about: 'undo-address',
  newEmail: 'eve.long@evil.example',
  hasChanged,
}));
const confirmations: LinkMail[] = [true, false].map((isOwn) => ({ ...link, about: 'confirm-address', isOwn }));
const all: (Notice | LinkMail)[] = [
  reset,
  ...undos,
  ...confirmations,
  ...(['password-changed', 'account-erased'] as const).map((about) => ({ ...to, about })),
  { ...to, about: 'export-ready', until: new Date('2026-11-22T14:05:00.000Z') },
  { ...to, about: 'platform-disconnected', platform: 'Strava', why: 'revoked', areImportsRemoved: true },
];

describe('a mail', () => {
  test('[7.7 8.14] to reset a password carries its link, in the text and in the HTML', () => {
    const { text, html } = renderMail(reset, sender);
    const link = 'https://caravan.example/reset-password?token=a_b-c';
    expect(text.split('\n')).toContain(link);
    expect(html).toContain(`href="${link}"`);
    expect(text).toMatch(/^Hello Maya,\n/);
    expect(text).toContain('within 30 minutes');
    expect(text).toMatch(/Acme on Caravan\n$/);
  });

  test.each(all)('[S17] about $about leads nowhere but to the product', (mail) => {
    const { text, html } = renderMail(mail, sender);
    for (const [link] of `${text} ${html}`.matchAll(/https?:[^\s<"]+/g))
      expect(new URL(link).origin).toBe('https://caravan.example');
  });

  test.each(all)('[S36] about $about fetches nothing and holds no script', (mail) => {
    const { html } = renderMail(mail, sender);
    expect(html).not.toMatch(/<(img|link|script|iframe|style|object)|src=|url\(/i);
    expect(html).toMatch(/<meta name="referrer" content="no-referrer"\/?>/);
  });

  test.each(all)('[S36] about $about shows no markup and no link of a name, in any part', (mail) => {
    const name = `<img src=x onerror="alert(1)"> https://evil.example/x www.evil.example evil.example & Co's`;
    const rendered = renderMail({ ...mail, name }, { ...sender, organization: name });
    expect(rendered.text).toContain('Hello img,');
    expect(rendered.text).toContain('img src x onerror alert 1 evil example &… on Caravan');
    expect(rendered.html).toContain('img src x onerror alert 1 evil example &amp;… on Caravan');
    expect(Object.values(rendered).join('\n')).not.toMatch(/<img|evil\.example\/|www\.|[^@]evil\.example/);
  });

  test.each(all)('[S36] about $about writes its address as HTML where it is written, too', (mail) => {
    const { html, text } = renderMail(mail, { ...sender, publicUrl: `https://caravan.example/a&b'"<c>` });
    if (!text.includes('caravan.example')) return expect(mail.about).toBe('account-erased');
    const written = 'https://caravan.example/a&amp;b&#x27;&quot;&lt;c&gt;/';
    expect(html.split(written)).toHaveLength(3);
    expect(html.split('caravan.example')).toHaveLength(3);
  });

  test.each([
    [true, 'confirm-email'],
    [false, 'confirm-email'],
  ])('[D54] to confirm an address (own: %s) carries its link, and says how long it works', (isOwn, page) => {
    const { text, html, subject } = renderMail({ ...link, about: 'confirm-address', isOwn }, sender);
    expect(subject).toBe('Confirm your e-mail address');
    expect(text.split('\n')).toContain(`https://caravan.example/${page}?token=a_b-c`);
    expect(html).toContain(`href="https://caravan.example/${page}?token=a_b-c"`);
    expect(text).toContain('within 24 hours');
  });

  test.each(undos)('[D54] to the old address leads back for 7 days, and veils the new one', (mail) => {
    const { text } = renderMail(mail, sender);
    expect(text.split('\n')).toContain('https://caravan.example/undo-email?token=a_b-c');
    expect(text).toContain('within 7 days');
    expect(text).toContain('e…@evil.example');
    expect(text).not.toContain('eve.long');
  });

  test.each([
    ['Maximiliana Featherstonehaugh-Cholmondeley', 'Hello Maximiliana,'],
    ['J. R. R. Tolkien', 'Hello J. R. R. Tolkien,'],
    [`${'A'.repeat(60)} Long`, `Hello ${'A'.repeat(40)}…,`],
    ['https://evil.example', 'Hello there,'],
  ])('greets %s by the first name', (name, greeting) => {
    const { text, html } = renderMail({ ...reset, name }, sender);
    expect(text.split('\n')[0]).toBe(greeting);
    expect(html).toContain(`>${greeting}<`);
  });

  test.each(all)('about $about says when, in words that are the same everywhere', (mail) => {
    if ('token' in mail) return expect(renderMail(mail, sender).text).not.toContain('2026');
    expect(renderMail(mail, sender).text).toMatch(
      /on 21 November 2026 at 14:05 UTC|until 22 November 2026 at 14:05 UTC/,
    );
  });
});
