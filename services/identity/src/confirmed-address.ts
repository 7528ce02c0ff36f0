declare const confirmed: unique symbol;

/** An address whose owner has opened a link that was mailed there: the only kind that notices are written to. */
export type ConfirmedAddress = string & { readonly [confirmed]: true };

/** Undefined for an address that nobody has confirmed: whoever reads it may be a stranger. */
export function confirmedAddressOf({
  email,
  emailConfirmedAt,
}: {
  readonly email: string;
  readonly emailConfirmedAt: Date | null;
}): ConfirmedAddress | undefined {
  return emailConfirmedAt === null ? undefined : (email as ConfirmedAddress);
}

/** Whether an address is at one of some domains, which are written in lower case. */
export function isAtDomain(email: string, domains: readonly string[]): boolean {
  return domains.includes(email.slice(email.lastIndexOf('@') + 1).toLowerCase());
}
