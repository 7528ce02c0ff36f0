import { mostPhotoBytes, photoWords } from '@caravan/contracts/http/photos';
import { imageLimits, type ImageLimits, type ImageRefusal, type Rendition } from '@caravan/service-kit/media/images';
import { type PhotoSize, photoSizes } from '@caravan/service-kit/storage/photo-address';

type Owner = { readonly orgId: string; readonly userId: string };

/** Where a file lies that nobody has looked at yet, and is never served from. */
export const uploadKey = ({ orgId, userId, uploadId }: Owner & { readonly uploadId: string }): string =>
  `incoming/${orgId}/${userId}/${uploadId}`;

export type PhotoRef = { readonly orgId: string; readonly photoId: string };

export const photoKey = ({ orgId, photoId }: PhotoRef, size: PhotoSize): string =>
  `photos/${orgId}/${photoId}/${size}.webp`;

/** A `KeptPhoto` of the row `p` of `photos`. */
export const keptPhotoSql = `json_build_object('objectPath', '/objects/photos/' || p.photo_id, 'width', p.width,
  'height', p.height, 'thumbHash', p.thumb_hash, 'alt', p.alt)`;

const uuid = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';
const uploadPath = new RegExp(`/incoming/${uuid}/${uuid}/(${uuid})$`);

/** An address without its query (D42), and the upload that it names; null for everything else. */
export function readUploadUrl(url: string): { readonly address: string; readonly uploadId: string } | null {
  if (!URL.canParse(url)) return null;
  const { origin, pathname } = new URL(url);
  const [, uploadId] = uploadPath.exec(pathname) ?? [];
  return uploadId === undefined ? null : { address: `${origin}${pathname}`, uploadId };
}

export const largestSize: PhotoSize = 1280;

export const renditionOf = (size: PhotoSize): Rendition => ({ edgePixels: size, format: 'webp' });

const sizesBelowLargest = photoSizes.filter((size) => size < largestSize);

/** What is drawn of a file, which proves that it is a photo: the sizes below the largest come last, in their order. */
export const proof: readonly Rendition[] = [
  renditionOf(largestSize),
  { edgePixels: 100, format: 'thumbhash' },
  ...sizesBelowLargest.map(renditionOf),
];

export const photoLimits: ImageLimits = { ...imageLimits, mostBytes: mostPhotoBytes, seconds: 10 };

export type Pixels = { readonly width: number; readonly height: number };

/** The sizes that a photo has besides its largest: those that are smaller than it. */
export function smallerSizesOf({ width, height }: Pixels): PhotoSize[] {
  return sizesBelowLargest.filter((size) => size < Math.max(width, height));
}

/** What somebody who asks for a size is answered with: as large or larger, since none is ever enlarged. */
export function servedSize(asked: PhotoSize, pixels: Pixels, hasSmaller: boolean): PhotoSize {
  return (hasSmaller ? smallerSizesOf(pixels).find((size) => size >= asked) : undefined) ?? largestSize;
}

export type UploadRefusal = ImageRefusal | 'other-size';

export const refusalWords: Record<UploadRefusal, string> = {
  empty: photoWords.empty,
  vector: photoWords.vector,
  heic: photoWords.heic,
  unreadable: photoWords.unreadable,
  'too-many-bytes': photoWords.tooLarge,
  'too-many-pixels': photoWords.tooManyPixels,
  'too-many-frames': photoWords.tooManyFrames,
  'too-expensive': photoWords.tooExpensive,
  'other-size': photoWords.otherSize,
};

/** By what the storage says of a file, before anybody reads it. */
export function refusalOfSize(sizeBytes: number, announcedBytes: number | null): UploadRefusal | undefined {
  if (sizeBytes === 0) return 'empty';
  if (sizeBytes > mostPhotoBytes) return 'too-many-bytes';
  return announcedBytes !== null && announcedBytes !== sizeBytes ? 'other-size' : undefined;
}

/** What is cut off may be tried again: the machine was busy. */
export const isFinal = (refusal: UploadRefusal): boolean => refusal !== 'too-expensive';

/** How long rows may wait for what follows, in seconds. */
export const waits = {
  /** An upload for its registration, a photo for its log. */
  unused: 24 * 3_600,
  /** A photo's row for its object: longer than a registration. */
  drafted: 3_600,
  /** A chosen picture until identity says that it is shown, which it says within a second unless it is away. */
  chosen: 7 * 24 * 3_600,
  /** A discarded row for a second look: longer than an address takes files and a PUT lasts, ten minutes each. */
  discarded: 30 * 60,
  /** A photo for its smaller sizes, until its job counts as lost. */
  unsized: 60,
} as const;
