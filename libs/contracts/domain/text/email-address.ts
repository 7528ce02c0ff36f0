import { decodedPunycode } from './punycode.ts';

/** Before the @, as the HTML standard has it (4.10.5.1.5). */
const localPart = /^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+$/;
const label = /^[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?$/;
/** A URL would take them for something else than a part of its host. */
const noHost = /[\s%/?#@:\\[\]<>^|]/u;
export const longestAddress = 254;

/**
 * A domain with a dot in the form that mail servers know (IDNA, by the URL standard's UTS 46); undefined when it is
 * none. ASCII keeps its case.
 */
export function asciiDomain(typed: string): string | undefined {
  if (noHost.test(typed)) return undefined;
  const isInternational = /[^\u0021-\u007e]|xn--/i.test(typed);
  const ascii = isInternational ? hostOf(typed) : typed;
  const labels = ascii?.split('.') ?? [];
  const isDomain = labels.length > 1 && labels.every((one) => label.test(one)) && /[a-z]/i.test(labels.at(-1) ?? '');
  return isDomain && labels.join('.').length <= 253 ? ascii : undefined;
}

function hostOf(domain: string): string | undefined {
  const url = `http://${domain}`;
  return URL.canParse(url) ? new URL(url).hostname : undefined;
}

/** As it is stored and written to; undefined when it is no address. */
export function asciiAddress(typed: string): string | undefined {
  const at = typed.lastIndexOf('@');
  const local = typed.slice(0, at);
  const domain = asciiDomain(typed.slice(at + 1));
  if (at < 1 || domain === undefined || !localPart.test(local)) return undefined;
  const address = `${local}@${domain}`;
  return address.length <= longestAddress ? address : undefined;
}

/** As people read it: `xn--` of its domain is written in its script. */
export function shownAddress(email: string): string {
  const at = email.lastIndexOf('@') + 1;
  return email.slice(0, at) + shownDomain(email.slice(at));
}

export function shownDomain(domain: string): string {
  if (!/xn--/i.test(domain)) return domain;
  const shown = domain
    .split('.')
    .map((one) => (/^xn--/i.test(one) ? (decodedPunycode(one.slice(4).toLowerCase()) ?? one) : one))
    .join('.');
  return hostOf(shown) === domain.toLowerCase() ? shown : domain;
}

/** One address, however it is written, is one account (D39). */
export function emailKeyOf(email: string): string {
  const typed = email.trim();
  return (asciiAddress(typed) ?? typed).toLowerCase();
}

export function isSameAddress(one: string, other: string): boolean {
  return emailKeyOf(one) === emailKeyOf(other);
}

/** Whether an address is at one of some domains, which are written in ASCII and lower case. */
export function isAtDomain(email: string, domains: readonly string[]): boolean {
  const key = emailKeyOf(email);
  return domains.includes(key.slice(key.lastIndexOf('@') + 1));
}
