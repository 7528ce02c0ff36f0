import { describe, expect, test } from 'vitest';
import type { Notice, ResetMail } from '../doors.ts';
import { letterOf } from './letters.ts';

const sender = { organization: 'Acme', publicUrl: 'https://caravan.example' };
const at = new Date('2026-11-21T14:05:00.000Z');
const to = { to: 'maya@example.org', name: 'Maya', at };
const reset: ResetMail = { ...to, about: 'password-reset', organization: 'Acme', token: 'a_b-c' };
const all: (Notice | ResetMail)[] = [
  reset,
  ...(['password-changed', 'address-changed', 'account-erased'] as const).map((about) => ({ ...to, about })),
  { ...to, about: 'export-ready', until: new Date('2026-11-22T14:05:00.000Z') },
];

describe('a mail', () => {
  test('[7.7 8.14] to reset a password carries its link, in the text and in the HTML', () => {
    const { text, html } = letterOf(reset, sender);
    const link = 'https://caravan.example/reset-password?token=a_b-c';
    expect(text.split('\n')).toContain(link);
    expect(html).toContain(`href="${link}"`);
    expect(text).toMatch(/^Hello Maya,\n/);
    expect(text).toContain('within 30 minutes');
    expect(text).toMatch(/Acme on Caravan\n$/);
  });

  test.each(all)('[S17] about $about leads nowhere but to the product', (mail) => {
    const { text, html } = letterOf(mail, sender);
    for (const [link] of `${text} ${html}`.matchAll(/https?:[^\s<"]+/g))
      expect(new URL(link).origin).toBe('https://caravan.example');
  });

  test.each(all)('[S36] about $about fetches nothing and holds no script', (mail) => {
    const { html } = letterOf(mail, sender);
    expect(html).not.toMatch(/<(img|link|script|iframe|style|object)|src=|url\(/i);
    expect(html).toContain('<meta name="referrer" content="no-referrer">');
  });

  test.each(all)('[S36] about $about shows names as they were typed, whatever they look like', (mail) => {
    const name = `<img src=x onerror="alert(1)"> & Co's`;
    const { text, html } = letterOf({ ...mail, name }, { ...sender, organization: name });
    expect(text).toContain(`Hello ${name},`);
    expect(html).toContain('Hello &lt;img src=x onerror=&quot;alert(1)&quot;&gt; &amp; Co&#39;s,');
    expect(html).not.toContain('<img');
  });

  test.each(all)('about $about says when, in words that are the same everywhere', (mail) => {
    if (mail.about === 'password-reset') return expect(letterOf(mail, sender).text).not.toContain('2026');
    expect(letterOf(mail, sender).text).toMatch(/on 21 November 2026 at 14:05 UTC|until 22 November 2026 at 14:05 UTC/);
  });
});
