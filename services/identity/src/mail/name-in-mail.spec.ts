import { describe, expect, test } from 'vitest';
import { nameInMail } from './words.ts';

describe('a name in a mail', () => {
  test.each([
    ['Maya Okafor', 'Maya Okafor'],
    ['  J. R. R.  Tolkien ', 'J. R. R. Tolkien'],
    ["Ömar O'Neill & Co.", "Ömar O'Neill & Co."],
    ['مايا أوكافور', 'مايا أوكافور'],
    ['👩🏽‍🚀', '👩🏽 🚀'],
  ])('[S35] %s is shown as %s', (name, shown) => {
    expect(nameInMail(name)).toBe(shown);
  });

  test.each([
    ['Win at https://evil.example/x now', 'Win at now'],
    ['www.evil.example', ''],
    ['WWW.Evil.Example wins', 'wins'],
    ['evil.example', 'evil example'],
    ['evil。example', 'evil example'],
    ['ｅｖｉｌ．ｅｘａｍｐｌｅ', 'evil example'],
    ['eve@evil.example Maya', 'Maya'],
    ['Maya <eve@evil.example>', 'Maya'],
    ['Maya\r\nBcc: eve@evil.example', 'Maya'],
    ['javascript:alert Maya', 'Maya'],
    ['evil\u200b.example', 'evil example'],
  ])('[S35] %j keeps no link, address or header: %j', (name, shown) => {
    expect(nameInMail(name)).toBe(shown);
  });

  test('[S35] is cut to forty characters', () => {
    expect(nameInMail('Buy cheap things from us '.repeat(4))).toBe('Buy cheap things from us Buy cheap thing…');
    expect([...nameInMail('𝕸'.repeat(80))]).toHaveLength(41);
  });
});
