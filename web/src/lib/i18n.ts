import { i18n } from '@lingui/core';
import { messages } from '../locales/en.po';

/** Source texts are English; further languages load their catalogue before the first render. */
export function activateMessages(): void {
  i18n.load('en', messages);
  i18n.activate('en');
}
