import { isolateText } from '@caravan/contracts/domain/text/text';
import { i18n, type I18n, type MessageDescriptor, type MessageOptions } from '@lingui/core';
import { messages } from '../locales/en.po';

/** Source texts are English; further languages load their catalogue before the first render. */
export function activateMessages(): void {
  isolateValues();
  i18n.load('en', messages);
  i18n.activate('en');
}

type Values = Parameters<I18n['_']>[1];

const isolatedValues = (values: Values = {}): NonNullable<Values> =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]: [string, unknown]) => [
      name,
      typeof value === 'string' ? isolateText(value) : value,
    ]),
  );

/** A name of another direction in a sentence keeps its words, and the sentence its own. */
export function isolateValues(): void {
  const translate = i18n._.bind(i18n);
  function isolating(message: string | MessageDescriptor, values?: Values, options?: MessageOptions): string {
    if (typeof message === 'string') return translate(message, isolatedValues(values), options);
    return translate({ ...message, values: isolatedValues(message.values) });
  }
  i18n._ = isolating;
  i18n.t = isolating;
}
