import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { Page } from '../../ui/page.tsx';
import styles from './legal.module.css';

type LegalText = {
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

export const terms: LegalText = {
  title: msg`Terms of Service`,
  sections: [
    {
      heading: msg`What this is`,
      text: msg`Your organisation runs Caravan so that its members can log everyday movement and travel together. Your account belongs to that organisation; whoever runs it there decides who may join.`,
    },
    {
      heading: msg`What we ask of you`,
      text: msg`Log what you really did. Be kind in captions and team names. Share only photos you may share.`,
    },
    {
      heading: msg`What you should know`,
      text: msg`Caravan counts minutes; it is no medical advice. Move as it suits you, and ask a doctor where you are unsure.`,
    },
    {
      heading: msg`Leaving`,
      text: msg`You can stop at any time. Your organisation's admins can close your account; miles you earned stay with the team you earned them for.`,
    },
  ],
};

export const privacy: LegalText = {
  title: msg`Privacy Policy`,
  sections: [
    {
      heading: msg`What is kept`,
      text: msg`Your name, your e-mail address, your team, what you log, and what you write or show with it. Your password is kept only as a hash that cannot be read back.`,
    },
    {
      heading: msg`Who sees it`,
      text: msg`Members of your organisation see your name, your miles and your posts. Nobody outside your organisation does, and nothing is sold or used for advertising.`,
    },
    {
      heading: msg`From your fitness devices`,
      text: msg`What you connect brings workouts: what, when, how long, how far, and heart rate and calories only if you share them. From Strava nobody but you sees them, and they earn miles only with your tick. What a platform sent is deleted after seven days, and what came from Strava goes when you disconnect it.`,
    },
    {
      heading: msg`In your browser`,
      text: msg`Caravan keeps your session, a mark that you have signed in here before, your choice of appearance, comments that you have not sent yet and your organisation's colours in this browser. There are no tracking cookies.`,
    },
    {
      heading: msg`Your choice`,
      text: msg`Ask your organisation's admins to correct or delete what is kept about you.`,
    },
  ],
};
