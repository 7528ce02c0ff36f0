import { createHmac, timingSafeEqual } from 'node:crypto';
import type { ShownPhoto } from '@caravan/contracts/http/photos';

/** The longest side of what is kept of a photo, in pixels; none is enlarged. */
export const photoSizes = [64, 280, 640, 1280] as const;
export type PhotoSize = (typeof photoSizes)[number];

/** Whom an address is for: one person, or without `userId` everybody of the organisation (ADR 0057). */
export type PhotoViewer = { readonly orgId: string; readonly userId?: string | undefined };

export type PhotoAddress = {
  /** `/objects/photos/{photoId}` */
  readonly objectPath: string;
  readonly size: PhotoSize;
  readonly viewer: PhotoViewer;
  readonly now: Date;
};

/** What a request for a photo says, each part as it was sent. */
export type AskedPhoto = {
  readonly photoId: string;
  readonly size: string;
  readonly viewer?: string | undefined;
  readonly expires?: string | undefined;
  readonly signature?: string | undefined;
};

export type VerifiedPhoto =
  | ({ readonly state: 'valid'; readonly size: PhotoSize; readonly expiresAt: Date } & PhotoViewer)
  | { readonly state: 'expired' | 'forged' };

const quarterSeconds = 15 * 60;
const uuid = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';
const objectPathOf = new RegExp(`^/objects/photos/(${uuid})$`);
const viewerOf = new RegExp(`^(${uuid})(?:[.](${uuid}))?$`);

/** The photo's id in `/objects/photos/{photoId}`; null for everything else. */
export const photoIdOf = (objectPath: string): string | null => objectPathOf.exec(objectPath)?.[1] ?? null;

/**
 * An address by which an `<img>` reads a photo without a token, good for 15 to 30 minutes. It is the same for a quarter
 * of an hour, so that refreshed lists find the picture in the browser's cache; each photo turns at a second of its own,
 * so that not all are asked for at once. Null when `objectPath` is no photo's.
 */
export function signedPhotoUrl(key: string, { objectPath, size, viewer, now }: PhotoAddress): string | null {
  const photoId = photoIdOf(objectPath);
  if (photoId === null) return null;
  const told = viewer.userId === undefined ? viewer.orgId : `${viewer.orgId}.${viewer.userId}`;
  const expires = expiryOf(photoId, now);
  const signature = signatureOf(key, [photoId, String(size), told, String(expires)]);
  return `${objectPath}/${size}.webp?viewer=${told}&expires=${expires}&signature=${signature}`;
}

/** Compares in constant time. What is no uuid, size or second is 'forged': nobody signs it. */
export function verifyPhotoUrl(key: string, asked: AskedPhoto, now: Date): VerifiedPhoto {
  const { photoId, viewer = '', expires = '', signature = '' } = asked;
  const shown = Buffer.from(signature);
  const isSigned = sizesThatOpen(asked.size).some((each) => {
    const expected = Buffer.from(signatureOf(key, [photoId, each, viewer, expires]));
    return shown.length === expected.length && timingSafeEqual(shown, expected);
  });
  const size = photoSizes.find((each) => String(each) === asked.size);
  const [, orgId, userId] = viewerOf.exec(viewer) ?? [];
  if (!isSigned || size === undefined || orgId === undefined) return { state: 'forged' };
  const expiresAt = new Date(Number(expires) * 1_000);
  if (expiresAt <= now) return { state: 'expired' };
  return { state: 'valid', size, expiresAt, orgId, userId };
}

/** An address of the smallest size opens the next one too: faces are sharp on every screen, and signed once (ADR 0057). */
function sizesThatOpen(asked: string): string[] {
  const [smallest, next] = photoSizes;
  return asked === String(next) ? [asked, String(smallest)] : [asked];
}

export type KeptPhoto = {
  readonly objectPath: string;
  /** Of the largest size that is kept. */
  readonly width: number;
  readonly height: number;
  readonly thumbHash: string;
  readonly alt: string | null;
};

/** Signs what is kept of photos for those who see it; the key stays in here. */
export class PhotoAddresses {
  constructor(private readonly key: string) {}

  /** A person's picture. Lists are the same for many readers, so its address is the organisation's. */
  face(
    objectPath: string | null,
    { orgId, at }: { readonly orgId: string; readonly at: Date },
    size: PhotoSize = 64,
  ): string | null {
    return objectPath === null ? null : signedPhotoUrl(this.key, { objectPath, size, viewer: { orgId }, now: at });
  }

  /** The address of 640 pixels. */
  url(objectPath: string | null, viewer: PhotoViewer, now: Date): string | null {
    return objectPath === null ? null : signedPhotoUrl(this.key, { objectPath, size: 640, viewer, now });
  }

  /** For `<img srcset>`: every size from 280 on that the photo has, with its true width. */
  shownPhoto({ objectPath, ...photo }: KeptPhoto, viewer: PhotoViewer, now: Date): ShownPhoto {
    const { alt, width, height, thumbHash } = photo;
    const widths = new Map<number, PhotoSize>();
    for (const size of photoSizes.slice(1)) {
      const shrunk = Math.max(1, Math.round(width * Math.min(1, size / Math.max(width, height))));
      if (!widths.has(shrunk)) widths.set(shrunk, size);
    }
    const srcSet = [...widths].flatMap(([pixels, size]) => {
      const address = signedPhotoUrl(this.key, { objectPath, size, viewer, now });
      return address === null ? [] : [`${address} ${pixels}w`];
    });
    return { alt, width, height, thumbHash, srcSet: srcSet.join(', ') };
  }

  verify(asked: AskedPhoto, now: Date): VerifiedPhoto {
    return verifyPhotoUrl(this.key, asked, now);
  }
}

/** In whole seconds: the first turn of this photo that is a quarter of an hour away or more. */
function expiryOf(photoId: string, now: Date): number {
  const turn = Number.parseInt(photoId.slice(-8), 16) % quarterSeconds;
  const earliest = Math.ceil(now.getTime() / 1_000) + quarterSeconds;
  return Math.ceil((earliest - turn) / quarterSeconds) * quarterSeconds + turn;
}

const signatureOf = (key: string, parts: readonly string[]): string =>
  createHmac('sha256', key).update(parts.join('\n')).digest('base64url');
