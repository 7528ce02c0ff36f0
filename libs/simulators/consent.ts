import { randomInt } from 'node:crypto';
import type { Grants } from './grants.ts';
import { consentPage } from './pages.ts';
import { type Answer, type Asked, fieldsOf } from './simulator.ts';

export type App = {
  readonly clientId: string;
  readonly clientSecret: string;
  /** Where browsers may be sent back to; anywhere unless said otherwise. */
  readonly callbackOrigin?: string | undefined;
};

type Platform = {
  readonly name: string;
  readonly app: App;
  readonly grants: Grants;
  readonly scopes: readonly { readonly name: string; readonly words: string }[];
  readonly separator: ' ' | ',';
  /** Somebody who wants to begin with some workouts. */
  readonly begin: (person: string) => void;
  readonly refusalOf: (field: 'client_id' | 'redirect_uri') => Answer;
};

// Not the scopes: what is ticked says which of them.
const kept = ['client_id', 'redirect_uri', 'state', 'code_challenge', 'response_type'] as const;

/** The page where people allow an app something, and what they answer there. */
export function consent(asked: Asked, platform: Platform): Answer {
  const fields = fieldsOf(asked);
  const { client_id, redirect_uri: redirectUri = '', scope = '', state = '' } = fields;
  const { app, separator } = platform;
  if (client_id !== app.clientId) return platform.refusalOf('client_id');
  if (!URL.canParse(redirectUri)) return platform.refusalOf('redirect_uri');
  const back = new URL(redirectUri);
  if (app.callbackOrigin !== undefined && back.origin !== app.callbackOrigin) return platform.refusalOf('redirect_uri');
  if (asked.method === 'GET') {
    const wanted = platform.scopes.filter(({ name }) => scope.split(separator).includes(name));
    const html = consentPage({
      platform: platform.name,
      scopes: wanted,
      person: String(randomInt(10_000_000, 99_000_000)),
      hidden: Object.fromEntries(kept.flatMap((name) => (fields[name] === undefined ? [] : [[name, fields[name]]]))),
    });
    const policy = `default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; form-action 'self' ${back.origin}`;
    return { html, headers: { 'content-security-policy': policy } };
  }
  back.searchParams.set('state', state);
  const { person = '', code_challenge: challenge } = fields;
  if (fields['answer'] !== 'allow' || !/^[1-9]\d{0,14}$/.test(person)) back.searchParams.set('error', 'access_denied');
  else {
    if (fields['lately'] === 'yes') platform.begin(person);
    const ticked = new URLSearchParams(asked.body).getAll('scope');
    const scopes = platform.scopes.map(({ name }) => name).filter((name) => ticked.includes(name));
    back.searchParams.set('code', platform.grants.allow({ person, scopes, redirectUri, challenge }));
    back.searchParams.set('scope', scopes.join(separator));
  }
  return { status: 302, headers: { location: back.href } };
}

/** Answers a consent page as a person in a browser would; where the browser is sent to. */
export async function answerConsent(
  authorizeUrl: string,
  answers: { person?: string; untick?: readonly string[]; isRefused?: boolean; isNew?: boolean } = {},
): Promise<URL> {
  const html = await (await fetch(authorizeUrl)).text();
  const form = new URLSearchParams();
  for (const [tag] of html.matchAll(/<input [^>]+>/g)) {
    const of = (name: string) => unescapeHtml(new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1] ?? '');
    const name = of('name');
    const value = of('value');
    if (
      (of('type') === 'checkbox' && answers.untick?.includes(value) === true) ||
      (name === 'lately' && answers.isNew !== true)
    )
      continue;
    form.append(name, name === 'person' ? (answers.person ?? value) : value);
  }
  form.append('answer', answers.isRefused === true ? 'refuse' : 'allow');
  const answer = await fetch(authorizeUrl, { method: 'POST', body: form, redirect: 'manual' });
  const location = answer.headers.get('location');
  if (location === null) throw new Error(`The platform sends nobody back: ${answer.status} ${await answer.text()}`);
  return new URL(location);
}

const signs: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" };
const unescapeHtml = (text: string): string =>
  text.replaceAll(/&(?:amp|lt|gt|quot|#39);/g, (sign) => signs[sign] ?? sign);
