import { generateMessageId } from '@lingui/message-utils/generateMessageId';
import { expect, test } from 'vitest';
import { messagesIn } from './lingui.ts';

const catalogue = (...messages: string[]) =>
  ['msgid ""\nmsgstr ""\n"Language: en\\n"', ...messages.map((text) => `msgid "${text}"\nmsgstr "${text}"`)].join(
    '\n\n',
  );

test('a catalogue is compiled by the ids that the macro leaves in the sources', async () => {
  const text = '12\u00a0km with {name}';
  expect(await messagesIn(catalogue(text))).toEqual({ [generateMessageId(text)]: ['12\u00a0km with ', ['name']] });
});

test('a message that no source has any more is left out of the compiled catalogue', async () => {
  expect(await messagesIn(`${catalogue()}\n\n#~ msgid "gone"\n#~ msgstr "gone"`)).toEqual({});
});

test('a message that is not in the format of ICU is refused', async () => {
  await expect(messagesIn(catalogue('{count, plural, one {# mile}'))).rejects.toThrow();
});
