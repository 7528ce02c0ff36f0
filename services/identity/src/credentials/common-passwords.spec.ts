import { describe, expect, test } from 'vitest';
import { CommonPasswords } from './common-passwords.client.ts';

const common = new CommonPasswords();

describe('a common password that keeps the rules', () => {
  test.each([
    'Aa123456!',
    'Hunter2!!',
    'Password123!',
    'Qwerty123!',
    'Welcome1!',
    'P@ssw0rd1!',
    'Abcd1234!',
    'Letmein1!',
    '1q2w3e4R!',
    'Zaq1@wsx',
    '!QAZ2wsx',
    'Iloveyou2!',
    'Trustno1!',
    'Dragon123!',
    'Monkey#99',
    'Football1!',
    'Asdf1234!',
    'Abc12345!',
    'Sunshine2026!',
    'Ch@ngeme1',
    '***Master77',
    '2026-Liverpool!',
    'Test@123',
    'M1chelle!9',
    'Qwer!234',
    'M0nk3yM0nk3y!',
    'Ninja-2026-11',
    'Pokémon-25!'.replace('é', 'e'),
    'Admin@123',
    'Pa55word!',
    'Mustang_1967',
  ])('[S13] is known however it is dressed up: %s', (password) => {
    expect(common.isOneOf(password)).toBe(true);
  });
});

describe('a password that is not common', () => {
  test.each([
    'Tr4nsparent-Kettle',
    'xK7#vQ2!mZ',
    'Blue7horse!staple',
    'Gr0undhog&Teapot',
    'summer rain on 7 Tin roofs!',
    'Пароль-٣٤٥-Ж!ж',
    '🔥Aa1🔥zebra-violin',
    'correct-Horse-7-battery',
    'w9$Lr!tQ',
    'a!1Z',
    '',
  ])('[S13] is not: %s', (password) => {
    expect(common.isOneOf(password)).toBe(false);
  });

  test('[S13] is taken for one less than once in five hundred, as a person types it and as a machine makes it', () => {
    // Numerical Recipes' generator: the same passwords in every run.
    let state = 20_261_123;
    const next = (below: number) => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return Math.floor((state / 2 ** 32) * below);
    };
    const signs = Array.from({ length: 94 }, (_, index) => String.fromCharCode(33 + index));
    const random = (length: number) => Array.from({ length }, () => signs[next(signs.length)]).join('');
    for (const length of [8, 12, 16]) {
      const taken = Array.from({ length: 2_000 }, () => random(length)).filter((password) => common.isOneOf(password));
      expect(taken.length, `of 2,000 with ${length} characters`).toBeLessThan(4);
    }
    const strangers = Array.from({ length: 20_000 }, (_, index) => `no such word ${index}`);
    expect(strangers.filter((word) => common.has(word)).length).toBeLessThan(8);
  });
});
