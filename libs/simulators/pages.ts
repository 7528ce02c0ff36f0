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
  body { max-width: 34rem; margin: 0 auto; padding: 1.5rem; }
  .simulated { border: 2px solid; padding: 0.75rem 1rem; font-weight: 600; }
  fieldset { border: 1px solid #888; margin: 1rem 0; padding: 0.75rem 1rem; }
  label { display: block; padding: 0.35rem 0; }
  label.field { font-weight: 600; }
  input[type='text'] { font: inherit; padding: 0.5rem; width: 100%; box-sizing: border-box; }
  button { font: inherit; min-height: 2.75rem; padding: 0 1.25rem; margin-right: 0.5rem; }
  :focus-visible { outline: 3px solid; outline-offset: 2px; }`;

export const page = (platform: string, title: string, body: string): string =>
  `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(`${title} – simulated ${platform}`)}</title><style>${style}</style></head>
<body><main><p class="simulated" role="note">This page simulates ${escapeHtml(platform)}. It is part of this Caravan; nothing leaves this machine.</p>
<h1>${escapeHtml(title)}</h1>${body}</main></body></html>`;

export type Consent = {
  readonly platform: string;
  readonly hidden: Readonly<Record<string, string>>;
  readonly scopes: readonly { readonly name: string; readonly words: string }[];
  readonly person: string;
};

const box = (name: string, value: string, words: string): string =>
  `<label><input type="checkbox" name="${escapeHtml(name)}" value="${escapeHtml(value)}" checked> ${escapeHtml(words)}</label>`;

export function consentPage({ platform, hidden, scopes, person }: Consent): string {
  const kept = Object.entries(hidden).map(
    ([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`,
  );
  return page(
    platform,
    'Caravan asks for access',
    `<form method="post">${kept.join('')}
<label class="field" for="person">Your number at ${escapeHtml(platform)} (anything; the same number is the same person)</label>
<input type="text" id="person" name="person" value="${escapeHtml(person)}" required maxlength="15" pattern="[1-9][0-9]*" inputmode="numeric" autocomplete="off">
<fieldset><legend>Caravan may</legend>${scopes.map(({ name, words }) => box('scope', name, words)).join('')}</fieldset>
<fieldset><legend>To try it out</legend>${box('lately', 'yes', 'Begin with four workouts of the last days, if I am new')}</fieldset>
<button type="submit" name="answer" value="allow">Authorize</button>
<button type="submit" name="answer" value="refuse" formnovalidate>Cancel</button></form>`,
  );
}
