// Holds no setting, secret or connection: what a hostile picture takes over is gone with this process.
import sharp, { type CreateRaw, type Metadata, type OutputInfo, type Sharp } from 'sharp';
import { rgbaToThumbHash } from 'thumbhash';
import type { ImageAnswer, ImageRefusal, ImageRequest, Picture, Rendition } from './images.ts';

const watchMilliseconds = 20;
const qualities = [85, 60, 30];
/** Half of the time of the usual 4, for pictures that are hardly larger. */
const effort = 2;

sharp.concurrency(1);
sharp.cache(false);
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['Png', 'Jpeg', 'Webp', 'Nsgif', 'Heif'].map((name) => `VipsForeignLoad${name}Buffer`),
});

process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
process.once('message', (request: ImageRequest) => {
  const tooLarge = () => process.memoryUsage.rss() > request.mostMegabytes * 1_000_000;
  // Decoding runs in another thread; where the system has no limit this is the only one.
  setInterval(() => tooLarge() && answer({ refusal: 'too-expensive' }), watchMilliseconds).unref();
  void renderPictures(request).then(answer, () => answer({ refusal: 'unreadable' }));
});

function answer(said: ImageAnswer): void {
  if (process.connected) process.send?.(said);
}

async function renderPictures({ file, format, renditions, limits }: ImageRequest): Promise<ImageAnswer> {
  const options = { limitInputPixels: limits.mostPixels, failOn: 'error', pages: 1 } as const;
  // Headers only; unlimited, so that too many pixels are told from no picture.
  const facts = await sharp(file, { ...options, limitInputPixels: false }).metadata();
  const refusal = formatIn(facts) === format ? refusalOf(facts, limits) : 'unreadable';
  if (refusal) return { refusal };
  const largest = Math.max(...renditions.map(({ edgePixels }) => edgePixels));
  const picture = shrunk(sharp(file, options).autoOrient(), largest).toColourspace('srgb').raw({ depth: 'uchar' });
  const { data, info } = await picture.toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  const pictures: Picture[] = [];
  for (const rendition of renditions) {
    const drawn = await renderPicture({ data, raw: { width, height, channels } }, rendition);
    if (!drawn) return { refusal: 'too-many-bytes' };
    pictures.push(drawn);
  }
  return { pictures };
}

function formatIn({ format, compression }: Metadata): string {
  return format === 'heif' && compression === 'av1' ? 'avif' : format;
}

function refusalOf(
  { width, height, pages = 1 }: Pick<Metadata, 'width' | 'height' | 'pages'>,
  limits: ImageRequest['limits'],
): ImageRefusal | undefined {
  if (width * height > limits.mostPixels) return 'too-many-pixels';
  return pages > limits.mostFrames ? 'too-many-frames' : undefined;
}

const shrunk = (picture: Sharp, edgePixels: number) =>
  picture.resize(edgePixels, edgePixels, { fit: 'inside', withoutEnlargement: true });

type Pixels = { readonly data: Buffer; readonly raw: CreateRaw };

async function renderPicture(
  { data, raw }: Pixels,
  { edgePixels, format, mostBytes = Infinity }: Rendition,
): Promise<Picture | undefined> {
  const open = () => shrunk(sharp(data, { raw }), edgePixels);
  if (format === 'thumbhash') {
    const { data: pixels, info } = await open().ensureAlpha().raw().toBuffer({ resolveWithObject: true });
    return pictureOf(rgbaToThumbHash(info.width, info.height, pixels), info);
  }
  for (const quality of format === 'png' ? [100] : qualities) {
    const encoded = format === 'png' ? open().png() : open().webp({ quality, effort });
    const { data: bytes, info } = await encoded.toBuffer({ resolveWithObject: true });
    if (bytes.length <= mostBytes) return pictureOf(bytes, info);
  }
  return undefined;
}

const pictureOf = (bytes: Uint8Array, { width, height }: OutputInfo): Picture => ({ bytes, width, height });
