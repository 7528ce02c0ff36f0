// Apart from the schemas, so that a browser can rate a password without them.

export const passwordTooShort = 'Password must be at least 8 characters';
export const passwordTooSimple =
  'Password must contain at least 1 uppercase letter, 1 lowercase letter, 1 number, and 1 special character';

const kind = (characters: string) => {
  const found = new RegExp(characters, 'u');
  return { characters, holds: (password: string): boolean => found.test(password) };
};

export const passwordCriteria = [
  { id: 'length', label: 'At least 8 characters', holds: (password: string) => [...password].length >= 8 },
  { id: 'lowercase', label: 'One lowercase letter', ...kind(String.raw`\p{Ll}`) },
  { id: 'uppercase', label: 'One uppercase letter', ...kind(String.raw`\p{Lu}`) },
  { id: 'number', label: 'One number', ...kind(String.raw`\p{Nd}`) },
  { id: 'special', label: 'One special character', ...kind(String.raw`[\p{P}\p{S}]`) },
] as const;

/** Weak under 40 % of the criteria, Medium under 80 % (5.1). */
export function passwordStrength(password: string): { label: 'Weak' | 'Medium' | 'Strong'; share: number } {
  const share = passwordCriteria.filter((criterion) => criterion.holds(password)).length / passwordCriteria.length;
  if (share < 0.4) return { share, label: 'Weak' };
  return { share, label: share < 0.8 ? 'Medium' : 'Strong' };
}
