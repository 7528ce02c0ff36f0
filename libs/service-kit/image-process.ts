// Holds no setting, secret or connection: what a hostile picture takes over is gone with this process.
import sharp, { type Metadata, type Sharp } from 'sharp';
import type { ImageAnswer, ImageRefusal, ImageRequest, Rendition } from './images.ts';

const watchMilliseconds = 20;
const qualities = [85, 60, 30];

sharp.concurrency(1);
sharp.cache(false);
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['Png', 'Jpeg', 'Webp', 'Nsgif'].map((name) => `VipsForeignLoad${name}Buffer`),
});

process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
process.once('message', (request: ImageRequest) => {
  const tooLarge = () => process.memoryUsage.rss() > request.mostMegabytes * 1_000_000;
  // Decoding runs in another thread; where the system has no limit this is the only one.
  setInterval(() => tooLarge() && answer({ refusal: 'too-expensive' }), watchMilliseconds).unref();
  void made(request).then(answer, () => answer({ refusal: 'unreadable' }));
});

function answer(said: ImageAnswer): void {
  if (process.connected) process.send?.(said);
}

async function made({ file, format, renditions, limits }: ImageRequest): Promise<ImageAnswer> {
  const options = { limitInputPixels: limits.mostPixels, failOn: 'error', pages: 1 } as const;
  // Headers only; unlimited, so that too many pixels are told from no picture.
  const { format: found, ...facts } = await sharp(file, { ...options, limitInputPixels: false }).metadata();
  const refusal = found === format ? refusalOf(facts, limits) : 'unreadable';
  if (refusal) return { refusal };
  const pictures: Uint8Array[] = [];
  for (const rendition of renditions) {
    const picture = await written(() => sharp(file, options), rendition);
    if (!picture) return { refusal: 'too-many-bytes' };
    pictures.push(picture);
  }
  return { pictures };
}

function refusalOf(
  { width, height, pages = 1 }: Pick<Metadata, 'width' | 'height' | 'pages'>,
  limits: ImageRequest['limits'],
): ImageRefusal | undefined {
  if (width * height > limits.mostPixels) return 'too-many-pixels';
  return pages > limits.mostFrames ? 'too-many-frames' : undefined;
}

async function written(
  open: () => Sharp,
  { edgePixels, format, mostBytes = Infinity }: Rendition,
): Promise<Buffer | undefined> {
  for (const quality of qualities) {
    const picture = open().autoOrient().resize(edgePixels, edgePixels, { fit: 'inside', withoutEnlargement: true });
    const bytes = await (format === 'png' ? picture.png() : picture.webp({ quality })).toBuffer();
    if (bytes.length <= mostBytes) return bytes;
    if (format === 'png') return undefined;
  }
  return undefined;
}
