import { domainToUnicode } from 'node:url';
import { describe, expect, test } from 'vitest';
import { asciiAddress, asciiDomain, emailKeyOf, isAtDomain, isSameAddress, shownAddress } from './email-address.ts';
import { emailSchema, signupRequestSchema } from '../../http/accounts.ts';
import { createInviteRequestSchema } from '../../http/organisations.ts';

describe('[5.2 D39] an e-mail address', () => {
  test.each([
    ['plain', 'maya@example.com', 'maya@example.com'],
    ['as typed, in its case', 'Maya.O@Example.COM', 'Maya.O@Example.COM'],
    ['with spaces around it', ' maya@example.com ', 'maya@example.com'],
    ['with an ampersand', 'r&d@example.com', 'r&d@example.com'],
    ['with every sign of the HTML standard', ".!#$%&'*+/=?^_`{|}~-@example.com", ".!#$%&'*+/=?^_`{|}~-@example.com"],
    ['at a Russian domain', 'x@почта.рф', 'x@xn--80a1acny.xn--p1ai'],
    ['at the same domain in ASCII', 'x@xn--80a1acny.xn--p1ai', 'x@xn--80a1acny.xn--p1ai'],
    ['at a domain with an umlaut', 'jo@Bücher.example', 'jo@xn--bcher-kva.example'],
    ['at a domain with a sharp s', 'jo@straße.de', 'jo@xn--strae-oqa.de'],
    ['at a domain with an ideographic stop', 'jo@日本。jp', 'jo@xn--wgv71a.jp'],
  ])('%s is taken, and stored in ASCII', (_, typed, stored) => {
    expect(emailSchema.parse(typed)).toBe(stored);
  });

  test.each([
    '',
    'maya',
    'maya@',
    '@example.com',
    'maya@example',
    'a b@example.com',
    'maya@exa mple.com',
    'maya@@example.com',
    'maya@-example.com',
    'maya@example-.com',
    'maya@.com',
    'maya@example..com',
    'maya@example.com.',
    'maya@exam_ple.com',
    'maya@127.0.0.1',
    'maya@[127.0.0.1]',
    'maya@0x7f.1',
    'maya@example.com/path',
    'maya@example.com:80',
    'пётр@почта.рф',
    'maya@exa%6dple.com',
    'maya@xn--\u00fc.com',
    `maya@${'a'.repeat(64)}.com`,
    `${'a'.repeat(250)}@example.com`,
  ])('%j is refused', (typed) => {
    const [issue] = emailSchema.safeParse(typed).error?.issues ?? [];
    expect(issue?.message).toBe('Invalid email address');
  });

  test('is one account however it is written', () => {
    expect(isSameAddress('X@Почта.РФ', 'x@xn--80a1acny.xn--p1ai')).toBe(true);
    expect(emailKeyOf('X@ПОЧТА.рф')).toBe('x@xn--80a1acny.xn--p1ai');
    expect(signupRequestSchema.shape.email.parse('x@ПОЧТА.РФ')).toBe('x@xn--80a1acny.xn--p1ai');
  });

  test.each([
    'почта.рф',
    'bücher.example',
    '日本語.jp',
    'straße.de',
    'مثال.إختبار',
    '他们为什么不说中文.cn',
    'ليهمابتكلمو.eg',
  ])('at %s is shown in its script', (domain) => {
    const address = asciiAddress(`jo@${domain}`) ?? '';
    expect(address).toMatch(/^jo@[a-z0-9.-]+$/);
    expect(shownAddress(address)).toBe(`jo@${domainToUnicode(domain)}`);
  });

  test.each(['jo@example.com', 'jo@xn--99999999.com', 'jo@xn--.com', 'jo', ''])('%j is shown as it is', (address) => {
    expect(shownAddress(address)).toBe(address);
  });
});

describe('[D1] an invite for a domain', () => {
  test('takes a domain in any script, and knows its addresses', () => {
    const { domains } = createInviteRequestSchema.parse({
      domains: ['@Почта.РФ', 'Example.com', 'xn--bcher-kva.example'],
    });
    expect(domains).toEqual(['xn--80a1acny.xn--p1ai', 'example.com', 'xn--bcher-kva.example']);
    expect(isAtDomain('X@почта.рф', domains)).toBe(true);
    expect(isAtDomain('x@xn--80a1acny.xn--p1ai', domains)).toBe(true);
    expect(isAtDomain('x@example.org', domains)).toBe(false);
  });

  test.each(['', 'com', 'a b.com', 'example.com/', '-a.com', 'a@b.com'])('refuses %j', (domain) => {
    expect(asciiDomain(domain)).toBeUndefined();
  });
});
