/** Vector graphics are refused: they are programs for their renderer. */
export type ImageFormat = 'png' | 'jpeg' | 'webp' | 'gif' | 'avif';

export type ImageLimits = {
  readonly mostBytes: number;
  readonly mostPixels: number;
  readonly mostFrames: number;
  /** Instead of the worker's own. */
  readonly seconds?: number;
};

export const imageLimits: ImageLimits = { mostBytes: 20_000_000, mostPixels: 48_000_000, mostFrames: 256 };

export type Rendition = {
  /** A ThumbHash (evanw.github.io/thumbhash) is made of 100 pixels at most. */
  readonly edgePixels: number;
  readonly format: 'webp' | 'png' | 'thumbhash';
  /** Quality falls until it fits; refused when it never does. */
  readonly mostBytes?: number;
};

export type Picture = { readonly bytes: Uint8Array; readonly width: number; readonly height: number };

export type ImageRefusal =
  | 'empty'
  | 'vector'
  | 'heic'
  | 'unreadable'
  | 'too-many-bytes'
  | 'too-many-pixels'
  | 'too-many-frames'
  | 'too-expensive';

export type ImageRequest = {
  readonly file: Buffer;
  readonly format: ImageFormat;
  readonly renditions: readonly Rendition[];
  readonly limits: ImageLimits;
  readonly mostMegabytes: number;
};
export type ImageAnswer = { readonly pictures: readonly Picture[] } | { readonly refusal: ImageRefusal };

export function formatOf(file: Uint8Array, limits: ImageLimits): ImageFormat | { refusal: ImageRefusal } {
  if (file.length === 0) return { refusal: 'empty' };
  if (file.length > limits.mostBytes) return { refusal: 'too-many-bytes' };
  const head = latin1(file.subarray(0, 4_096));
  for (const [format, signature] of signatures) if (signature.test(head)) return format;
  const brands = brandsOf(head);
  if (brands.some((brand) => brand === 'avif' || brand === 'avis')) return 'avif';
  if (brands.some((brand) => /^(he[iv][a-z]|mif1|msf1)$/.test(brand))) return { refusal: 'heic' };
  return { refusal: isVector(head) ? 'vector' : 'unreadable' };
}

const signatures: readonly (readonly [ImageFormat, RegExp])[] = [
  ['png', /^\x89PNG\r\n\x1a\n/],
  ['jpeg', /^\xff\xd8\xff/],
  ['gif', /^GIF8[79]a/],
  ['webp', /^RIFF[^]{4}WEBP/],
];

/** What a file in the ISO base media format says to be. */
function brandsOf(head: string): string[] {
  if (head.slice(4, 8) !== 'ftyp') return [];
  const box = head.slice(0, head.charCodeAt(2) * 256 + head.charCodeAt(3));
  return [box.slice(8, 12), ...(box.slice(16).match(/[^]{4}/g) ?? [])];
}

function isVector(head: string): boolean {
  return /<svg[\s>]|<!doctype\s+svg/i.test(head.replaceAll('\0', '')) || head.startsWith('\x1f\x8b');
}

const latin1 = (bytes: Uint8Array): string => Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
