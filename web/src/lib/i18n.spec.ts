import { isolateText } from '@caravan/contracts/domain/text/text';
import { i18n } from '@lingui/core';
import { beforeAll, expect, test } from 'vitest';
import { isolateValues } from './i18n.ts';

// Messages of this test are no messages of the app: a literal would be extracted into the catalogue.
const sentence = '{name} · {miles} mi';
const saved = '{name} is saved';

beforeAll(() => {
  isolateValues();
  i18n.loadAndActivate({ locale: 'en', messages: {} });
});

test('an Arabic name stands in a sentence as one piece, so that the words and numbers beside it stay in order', () => {
  const values = { name: 'فريق النسور', miles: '12.0' };
  const described = { id: 'team', message: sentence, values };
  const wanted = '\u2068فريق النسور\u2069 · 12.0 mi';
  expect(i18n._(sentence, values)).toBe(wanted);
  expect(i18n.t(described)).toBe(wanted);
});

test('a name in the direction of the sentence is left as it is', () => {
  expect(i18n._(saved, { name: 'Night Owls' })).toBe('Night Owls is saved');
  expect(isolateText('Zoë 🦊')).toBe('Zoë 🦊');
});
