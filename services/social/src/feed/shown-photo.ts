import type { ShownPhoto } from '@caravan/contracts/http/photos';
import type { KeptPhoto, PhotoAddresses } from '@caravan/service-kit/storage/photo-address';

/** Signs photos for the organisation whose lists are read, or for the one who sees them alone (ADR 0057). */
export type Signing = {
  readonly addresses: PhotoAddresses;
  readonly orgId: string;
  readonly at: Date;
};

/** What is kept of a post's photo. */
export type PostPhoto = {
  readonly photoPath: string | null;
  /** Null where only its path was told. */
  readonly photo: Omit<KeptPhoto, 'objectPath'> | null;
  /** Who alone sees the post; null: the organisation. */
  readonly shownTo: string | null;
};

type PhotoOfPost = { readonly photoUrl: string | null; readonly photo: ShownPhoto | null };

export function photoOf(
  { photoPath: objectPath, photo, shownTo }: PostPhoto,
  { addresses, orgId, at }: Signing,
): PhotoOfPost {
  if (objectPath === null) return { photoUrl: null, photo: null };
  const viewer = { orgId, ...(shownTo !== null && { userId: shownTo }) };
  return {
    photoUrl: addresses.url(objectPath, viewer, at),
    photo: photo && addresses.shownPhoto({ objectPath, ...photo }, viewer, at),
  };
}

/** A person's picture; null without one. */
export const faceOf = (objectPath: string | null, { addresses, ...reading }: Signing): string | null =>
  addresses.face(objectPath, reading);

/** What names a person, with the picture signed. */
export const withFace = <Person extends { readonly avatar: string | null }>(
  person: Person,
  signing: Signing,
): Person => ({ ...person, avatar: faceOf(person.avatar, signing) });
