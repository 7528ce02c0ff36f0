// Apart from the schemas, so that a browser can rate a password without them.

export const passwordTooShort = 'Password must be at least 8 characters';
export const passwordTooSimple =
  'Password must contain at least 1 uppercase letter, 1 lowercase letter, 1 number, and 1 special character';

/** The five criteria of the strength meter, in its order (5.1). */
export const passwordCriteria = [
  { id: 'length', label: 'At least 8 characters', holds: (password: string) => [...password].length >= 8 },
  { id: 'lowercase', label: 'One lowercase letter', holds: (password: string) => /\p{Ll}/u.test(password) },
  { id: 'uppercase', label: 'One uppercase letter', holds: (password: string) => /\p{Lu}/u.test(password) },
  { id: 'number', label: 'One number', holds: (password: string) => /\p{Nd}/u.test(password) },
  { id: 'special', label: 'One special character', holds: (password: string) => /[\p{P}\p{S}]/u.test(password) },
] as const;

/** Weak under 40 % of the criteria, Medium under 80 %, Strong otherwise (5.1). */
export function passwordStrength(password: string): { label: 'Weak' | 'Medium' | 'Strong'; share: number } {
  const share = passwordCriteria.filter((criterion) => criterion.holds(password)).length / passwordCriteria.length;
  return { share, label: share < 0.4 ? 'Weak' : share < 0.8 ? 'Medium' : 'Strong' };
}
