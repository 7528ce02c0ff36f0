import { Invalid } from '@caravan/service-kit/problem';

const edgePixels = 256;
/** The branding travels with every start of the web app. */
const longestDataUrl = 64 * 1024;
/** 8,000 × 6,000 and anything smaller; what claims to be larger is not decoded at all. */
const mostPixels = 48_000_000;
const longestSeconds = 5;
const formats = new Set(['png', 'jpeg', 'webp', 'gif', 'heif', 'svg']);

/**
 * A logo as the branding carries it: decoded and written anew as WebP of at most 256 × 256 pixels, so that nothing of
 * the file but its picture is kept. Throws `Invalid` for what is no image.
 */
export async function logoOf(dataUrl: string): Promise<string> {
  const [, base64] = /^data:image\/[\w.+-]+(?:;[\w.+=-]+)*?;base64,([A-Za-z0-9+/]+={0,2})$/.exec(dataUrl) ?? [];
  if (base64 === undefined) throw notReadable();
  const file = Buffer.from(base64, 'base64');
  const options = { limitInputPixels: mostPixels, failOn: 'error', animated: false } as const;
  // Needed once in a while, and the largest thing this service would hold.
  const { default: sharp } = await import('sharp');
  try {
    const { format } = await sharp(file, options).metadata();
    if (!formats.has(format)) throw notReadable();
    for (const quality of [85, 60, 30]) {
      const image = await sharp(file, options)
        .rotate()
        .resize(edgePixels, edgePixels, { fit: 'inside', withoutEnlargement: true })
        .webp({ quality })
        .timeout({ seconds: longestSeconds })
        .toBuffer();
      const written = `data:image/webp;base64,${image.toString('base64')}`;
      if (written.length <= longestDataUrl) return written;
    }
  } catch {
    throw notReadable();
  }
  throw notReadable();
}

function notReadable(): Invalid {
  return new Invalid([{ path: 'logoUrl', message: 'The logo is not an image we can read' }], 'company/bad-logo');
}
