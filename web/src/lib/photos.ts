import { HttpError } from './http-error.ts';

/** A photo in a form: one's own, uploaded, and shown by an address that is good for a while. */
export type FormPhoto = {
  /** As a log takes it. */
  objectPath: string;
  /** Empty where none is known. */
  previewUrl: string;
  /** What it shows, for those who do not see it. */
  alt: string | null;
  /** Pixels; absent where the server did not say. */
  width?: number;
  height?: number;
  /** Where the file was sent: by it the server says again how the photo is seen. Absent once the photo belongs to a log. */
  photoURL?: string;
  /** The server has thrown it away: it waited longer for its log than photos do (ADR 0056). */
  isGone?: boolean;
};

/** No log can have it any more. */
export const goneOf = (photo: FormPhoto): FormPhoto => ({ ...photo, previewUrl: '', isGone: true });

/** The one that a log can have. */
export const usable = (photo: FormPhoto | null | undefined): FormPhoto | null =>
  photo && photo.isGone !== true ? photo : null;

/** Whether that is what the server has against what was sent. */
export const isPhotoGone = (error: unknown): boolean =>
  error instanceof HttpError && error.problem?.code === 'photo/not-found';

/** A place of a form where a photo is chosen, changed and taken away; the routes put it there. */
export type PhotoChoiceProps = {
  /** What the photo is for: an upload that a reload interrupted goes on there, and nowhere else. */
  purpose: string;
  photo: FormPhoto | null;
  onPhoto: (photo: FormPhoto | null) => void;
};

const isTextOrAbsent = (value: unknown) => value === undefined || typeof value === 'string';
const isNumberOrAbsent = (value: unknown) => value === undefined || Number.isFinite(value);

/** Whether what a browser kept is a photo. */
export function isFormPhoto(value: unknown): value is FormPhoto {
  if (typeof value !== 'object' || value === null) return false;
  const { objectPath, previewUrl, alt, width, height, photoURL, isGone } = value as Partial<FormPhoto>;
  return (
    typeof objectPath === 'string' &&
    typeof previewUrl === 'string' &&
    (alt === null || typeof alt === 'string') &&
    [width, height].every(isNumberOrAbsent) &&
    isTextOrAbsent(photoURL) &&
    (isGone === undefined || typeof isGone === 'boolean')
  );
}
