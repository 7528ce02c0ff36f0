import { useLingui } from '@lingui/react/macro';
import type { MessageDescriptor } from '@lingui/core';
import { Page } from '../../ui/page.tsx';
import styles from './legal.module.css';

export type LegalText = {
  title: MessageDescriptor;
  sections: readonly { heading: MessageDescriptor; text: MessageDescriptor }[];
};

export function Legal({ text }: { text: LegalText }) {
  const { i18n } = useLingui();
  return (
    <Page title={i18n._(text.title)} width="text">
      <div className={styles.text}>
        {text.sections.map(({ heading, text: body }) => (
          <section key={heading.id}>
            <h2>{i18n._(heading)}</h2>
            <p>{i18n._(body)}</p>
          </section>
        ))}
      </div>
    </Page>
  );
}
