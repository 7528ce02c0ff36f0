/** One address, however it is written, is one account (D39). */
export function emailKeyOf(email: string): string {
  return email.toLowerCase();
}

export function isSameAddress(one: string, other: string): boolean {
  return emailKeyOf(one) === emailKeyOf(other);
}
