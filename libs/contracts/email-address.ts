/** One address, however it is written, is one account (D39). */
export function emailKeyOf(email: string): string {
  return email.toLowerCase();
}

export function isSameAddress(one: string, other: string): boolean {
  return emailKeyOf(one) === emailKeyOf(other);
}

/** Whether an address is at one of some domains, which are written in lower case. */
export function isAtDomain(email: string, domains: readonly string[]): boolean {
  return domains.includes(email.slice(email.lastIndexOf('@') + 1).toLowerCase());
}
