import type { ReceivedMail } from '@caravan/service-kit/testing/mail-server';

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export const escapeHtml = (text: string): string => text.replaceAll(/[&<>"']/g, (sign) => escapes[sign] ?? sign);

const style = `
  :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
  body { max-width: 46rem; margin: 0 auto; padding: 1.5rem; }
  table { width: 100%; border-collapse: collapse; }
  th, td { text-align: left; padding: 0.5rem 0.75rem 0.5rem 0; border-bottom: 1px solid #8884; vertical-align: top; }
  td { overflow-wrap: anywhere; }
  pre { white-space: pre-wrap; overflow-wrap: anywhere; font: inherit; border: 1px solid #8886; padding: 1rem; }
  iframe { width: 100%; height: 24rem; border: 1px solid #8886; background: #fff; }
  dl { display: grid; grid-template-columns: max-content 1fr; gap: 0.25rem 1rem; }
  dd { margin: 0; min-width: 0; overflow-wrap: anywhere; }`;

const page = (title: string, body: string): string =>
  `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title><style>${style}</style></head>
<body>${body}</body></html>`;

const time = (instant: string): string =>
  `<time datetime="${instant}">${instant.slice(0, 19).replace('T', ' ')} UTC</time>`;

export function listPage(mails: readonly ReceivedMail[]): string {
  const rows = mails.map(
    ({ id, to, subject, receivedAt }) =>
      `<tr><td>${time(receivedAt)}</td><td>${escapeHtml(to.join(', '))}</td>` +
      `<td><a href="/mails/${id}">${escapeHtml(subject === '' ? '(no subject)' : subject)}</a></td></tr>`,
  );
  const table = `<table><thead><tr><th>Received</th><th>To</th><th>Subject</th></tr></thead>
<tbody>${rows.join('\n')}</tbody></table>`;
  const empty = '<p>No mail yet. Whatever this Caravan sends arrives here; nothing leaves this machine.</p>';
  return page('Mailbox', `<h1>Mailbox</h1>${mails.length === 0 ? empty : table}`);
}

/** The mail's HTML is in a frame that can neither run nor fetch anything. */
export function mailPage({ id, from, to, subject, text, html, receivedAt }: ReceivedMail): string {
  const linked = escapeHtml(text).replaceAll(
    /https?:\/\/(?:(?!&(?:lt|gt|quot|#39);)[^\s<>"])+/g,
    (link) => `<a href="${link}" rel="noreferrer">${link}</a>`,
  );
  const frame =
    html === '' ? '' : `<h2>As HTML</h2><iframe sandbox="" title="The mail as HTML" src="/mails/${id}/html"></iframe>`;
  return page(
    subject,
    `<p><a href="/">← All mail</a></p><h1>${escapeHtml(subject)}</h1>
<dl><dt>From</dt><dd>${escapeHtml(from)}</dd><dt>To</dt><dd>${escapeHtml(to.join(', '))}</dd><dt>Received</dt><dd>${time(receivedAt)}</dd></dl>
<pre>${linked}</pre>${frame}`,
  );
}

export const pagePolicy =
  "default-src 'none'; style-src 'unsafe-inline'; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

export const mailPolicy =
  "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'";
