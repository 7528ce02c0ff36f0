import { Body } from '@react-email/body';
import { Button } from '@react-email/button';
import { Container } from '@react-email/container';
import { Head } from '@react-email/head';
import { Hr } from '@react-email/hr';
import { Html } from '@react-email/html';
import { Link } from '@react-email/link';
import { Text } from '@react-email/text';
import { createElement as h } from 'react';
import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';

export type MailLink = { readonly label: string; readonly url: string };

/** One thing that is told: what happened, what stands below it, and where it leads. */
export type MailItem = {
  readonly text: string;
  readonly lines: readonly string[];
  readonly url: string;
  /** Of the part that begins with it. */
  readonly heading?: string;
};

/** What every mail is made of; text and HTML come from it alike. */
export type Draft = {
  readonly subject: string;
  readonly before: readonly string[];
  readonly items?: readonly MailItem[];
  readonly link?: MailLink;
  readonly after: readonly string[];
  /** Why it came, and how it comes no more. */
  readonly footer?: readonly (string | MailLink)[];
};

export type RenderedMail = { readonly subject: string; readonly text: string; readonly html: string };

/** Plain text, and the same as HTML that fetches nothing. */
export function laidOut(draft: Draft, { greeting, signature }: { greeting: string; signature: string }): RenderedMail {
  const { subject, before, items = [], link, after, footer = [] } = draft;
  const parts = [
    greeting,
    ...before,
    ...items.map(inText),
    ...(link ? [link.url] : []),
    ...after,
    signature,
    ...(footer.length > 0 ? ['--', ...footer.map((part) => (isLink(part) ? `${part.label}: ${part.url}` : part))] : []),
  ];
  const html = `<!doctype html>${renderToStaticMarkup(page(draft, { greeting, signature }))}\n`;
  return { subject, text: `${parts.join('\n\n')}\n`, html };
}

const inText = ({ heading, text, lines, url }: MailItem) =>
  [...(heading ? [`${heading}:`, ''] : []), `- ${text}`, ...lines.map((line) => `  ${line}`), `  ${url}`].join('\n');

const isLink = (part: string | MailLink): part is MailLink => typeof part !== 'string';

// What mail programs do not know of colours is left to them: most make a dark page of it by themselves.
const styles = {
  body: { margin: 0, padding: '24px', fontFamily: "-apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif" },
  container: { maxWidth: '560px' },
  text: { margin: '0 0 16px', fontSize: '16px', lineHeight: '24px' },
  item: { margin: '0 0 16px', fontSize: '16px', lineHeight: '24px' },
  line: { fontSize: '15px' },
  heading: { margin: '24px 0 8px', fontSize: '16px', lineHeight: '24px', fontWeight: 'bold' },
  address: { margin: '0 0 24px', fontSize: '13px', lineHeight: '20px', overflowWrap: 'anywhere' },
  signature: { margin: '24px 0 0', fontSize: '14px', lineHeight: '20px' },
  small: { margin: '0 0 8px', fontSize: '13px', lineHeight: '20px', overflowWrap: 'anywhere' },
  button: { padding: '12px 20px', borderRadius: '8px', background: '#c2410c', color: '#ffffff', fontSize: '16px' },
  link: { color: '#c2410c', textDecoration: 'underline' },
  rule: { margin: '24px 0 16px' },
} as const;

function page(draft: Draft, { greeting, signature }: { greeting: string; signature: string }): ReactNode {
  const { subject, before, items = [], link, after, footer = [] } = draft;
  const paragraph = (text: string) => h(Text, { key: text, style: styles.text }, text);
  return h(
    Html,
    { lang: 'en' },
    h(Head, null, h('meta', { name: 'referrer', content: 'no-referrer' }), h('title', null, subject)),
    h(
      Body,
      { style: styles.body },
      h(
        Container,
        { style: styles.container },
        [greeting, ...before].map(paragraph),
        items.map(item),
        link && button(link),
        after.map(paragraph),
        h(Text, { key: 'signature', style: styles.signature }, signature),
        footer.length > 0 && [h(Hr, { key: 'rule', style: styles.rule }), ...footer.map(small)],
      ),
    ),
  );
}

function item({ heading, text, lines, url }: MailItem, nth: number): ReactNode {
  return [
    heading && h('h2', { key: `part ${nth}`, style: styles.heading }, heading),
    h(
      Text,
      { key: nth, style: styles.item },
      h(Link, { href: url, style: styles.link }, text),
      lines.map((line, index) => h('span', { key: index, style: styles.line }, h('br'), line)),
    ),
  ];
}

function button({ label, url }: MailLink): ReactNode {
  return [
    h(Text, { key: 'button', style: styles.text }, h(Button, { href: url, style: styles.button }, label)),
    // The address is also written out: not every program shows where a link leads.
    h(Text, { key: 'address', style: styles.address }, url),
  ];
}

function small(part: string | MailLink): ReactNode {
  if (!isLink(part)) return h(Text, { key: part, style: styles.small }, part);
  return h(Text, { key: part.url, style: styles.small }, h(Link, { href: part.url, style: styles.link }, part.label));
}
