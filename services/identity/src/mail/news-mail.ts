import type { MailItem, RenderedMail } from './mail-layout.ts';
import { signMail } from './rendered-mail.ts';
import type { ConfirmedAddress, Sender } from './rendered-mail.ts';
import { sentenceInMail } from './words.ts';

/** What happened, as its receiver's centre says it; `link` is a path of the app. */
export type TidingInMail = {
  readonly text: string;
  readonly lines: readonly string[];
  readonly link: string;
  /** Of several parts of one mail, which it belongs to. */
  readonly part: PartOfNews;
};

/** In the order in which a mail tells them. */
const parts = { week: 'The week', people: 'Your colleagues', own: 'Your own way', team: 'Your team' } as const;
export type PartOfNews = keyof typeof parts;

/** All that waits for one person, in one mail. */
export type NewsMail = {
  readonly to: ConfirmedAddress;
  readonly name: string;
  readonly tidings: readonly TidingInMail[];
  /** In the words of the settings: which mails end with `unsubscribeToken`. */
  readonly mailsCalled: string;
  readonly unsubscribeToken: string;
};

const mostTidings = 20;
const subjectCharacters = 78;
const sentenceCharacters = 300;

/** Where somebody ends these mails, signed in or not; mail programs post to the same address (RFC 8058). */
export function unsubscribeUrl(publicUrl: string, token: string): string {
  return `${publicUrl}/unsubscribe?token=${encodeURIComponent(token)}`;
}

/** Of very many the newest stand in it, and how many more the app has. */
export function renderNews(mail: NewsMail, sender: Sender): RenderedMail {
  const { publicUrl } = sender;
  const shown = mail.tidings.slice(-mostTidings);
  const more = mail.tidings.length - shown.length;
  const items = inParts(shown);
  const before = shown.length > 1 ? ['Here is what happened since you last looked.'] : [];
  return signMail(mail.name, sender, {
    subject: subjectOf(
      items.map(({ tiding }) => tiding.text),
      mail.tidings.length,
    ),
    before,
    items: items.map(({ tiding, heading }) => ({ ...itemOf(tiding, publicUrl), ...(heading && { heading }) })),
    after: more > 0 ? [`And ${more} more in the app.`] : [],
    footer: [
      `You get this because “${mail.mailsCalled}” is on in your settings.`,
      { label: 'Open your settings', url: `${publicUrl}/settings` },
      { label: 'Unsubscribe', url: unsubscribeUrl(publicUrl, mail.unsubscribeToken) },
    ],
  });
}

/** What it tells first, and how much else. */
function subjectOf([first = '']: readonly string[], count: number): string {
  const others = count > 1 ? `, and ${count - 1} more` : '';
  return `${sentenceInMail(first, subjectCharacters - others.length)}${others}`;
}

/** Parts with a heading each, where there are several. */
function inParts(tidings: readonly TidingInMail[]): { tiding: TidingInMail; heading?: string }[] {
  const told = Object.keys(parts).map((part) => tidings.filter((tiding) => tiding.part === part));
  const isOne = told.filter(({ length }) => length > 0).length < 2;
  return told.flatMap((theirs) =>
    theirs.map((tiding, nth) => ({ tiding, ...(nth === 0 && !isOne && { heading: parts[tiding.part] }) })),
  );
}

function itemOf({ text, lines, link }: TidingInMail, publicUrl: string): MailItem {
  return {
    text: sentenceInMail(text, sentenceCharacters),
    lines: lines.map((line) => sentenceInMail(line, sentenceCharacters)),
    url: new URL(`.${link}`, `${publicUrl}/`).href,
  };
}
