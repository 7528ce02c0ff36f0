/** So many characters of a caption show at first (9.18). */
export const captionLimit = 150;

/** The start of a caption, whole characters only; null where all of it fits. */
export function shortenCaption(caption: string): string | null {
  const characters = [...caption];
  return characters.length > captionLimit ? `${characters.slice(0, captionLimit).join('').trimEnd()}…` : null;
}
