import { describe, expect, test } from 'vitest';
import { isEasilyGuessed } from './weak-password.ts';

const maya = { name: 'Maya Okafor', email: 'maya.okafor@acme.example', organization: 'Acme Rockets' };

describe('a password that keeps the rules', () => {
  test.each([
    'Password123!',
    'P@ssw0rd2026',
    'Welcome1!',
    'Qwerty!2345',
    'Summer2026!',
    'Admin#1234',
    '!Q1aaaaaaA',
    'Test1234!',
    'Okafor-1987',
    'Maya.Okafor1!',
    '0k@f0r!!1A',
    'Rockets#1',
    'Caravan-2026!',
    'AcmeRockets1!',
  ])('[S13] is easily guessed: %s', (password) => {
    expect(isEasilyGuessed(password, maya)).toBe(true);
  });

  test.each([
    'Tr4nsparent-Kettle',
    'xK7#vQ2!mZ',
    'Blue7horse!staple',
    'Пароль-٣٤٥-Ж!ж',
    '🔥Aa1🔥zebra-violin',
    'Gr0undhog&Teapot',
    'summer rain on 7 Tin roofs!',
    'MyTest-of-9-violins',
  ])('[S13] is not: %s', (password) => {
    expect(isEasilyGuessed(password, maya)).toBe(false);
  });
});
