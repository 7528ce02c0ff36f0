/**
 * An answer with what the specification does not promise (D44): a field that is absent or empty is as `otherwise` says,
 * so that a screen is drawn from what there is.
 */
export function complete<Answer extends object>(answer: Partial<Answer>, otherwise: Answer): Answer {
  const given = Object.entries(answer).filter(([, value]) => value !== undefined && value !== null);
  return { ...otherwise, ...Object.fromEntries(given) };
}

/** Miles are a number or a numeric text (3). */
export const numberOf = (value: number | string): number => Number(value);
