import sharp from 'sharp';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { ImageRefused, ImageWorker, type ImageWorkerOptions } from './image-worker.ts';
import { imageLimits, type Rendition } from './images.ts';
import { createLog } from '../telemetry/log.ts';
import * as hostile from '../testing/hostile-images.ts';

const hanging = new URL('../testing/hanging-image-process.ts', import.meta.url);
const small: Rendition[] = [{ edgePixels: 64, format: 'webp' }];
const workers: ImageWorker[] = [];
afterEach(() => workers.splice(0).forEach((worker) => worker.onApplicationShutdown()));

function worker(options: Partial<ImageWorkerOptions> = {}): ImageWorker {
  const log = createLog({ service: 'test', level: 'silent' });
  const made = new ImageWorker({ log, processes: 2, megabytes: 512, seconds: 20, ...options });
  workers.push(made);
  return made;
}

const refusalOf = (rendered: Promise<unknown>) =>
  rendered.then(
    () => 'none',
    (error: unknown) => (error instanceof ImageRefused ? error.refusal : Promise.reject(error as Error)),
  );
const isRunning = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

describe('pictures', () => {
  test.each([
    ['png', () => hostile.plain(600, 300).png().toBuffer()],
    ['jpeg', () => hostile.plain(600, 300).jpeg().toBuffer()],
    ['webp', () => hostile.plain(600, 300).webp().toBuffer()],
    ['gif', () => hostile.plain(600, 300).gif().toBuffer()],
    ['avif', () => hostile.plain(600, 300).avif().toBuffer()],
    ['a file that is one picture and something else', hostile.polyglot],
  ])('[S27] of %s are made in the sizes asked for, with nothing of the file but the picture', async (_, make) => {
    const renditions = [
      { edgePixels: 512, format: 'webp' },
      { edgePixels: 10, format: 'png' },
    ] as const;
    const pictures = await worker().render(await make(), renditions);
    const facts = await Promise.all(pictures.map(({ bytes }) => sharp(bytes).metadata()));
    expect(facts).toMatchObject([{ format: 'webp' }, { format: 'png', width: 10, height: 5 }]);
    expect(pictures).toMatchObject([
      { width: facts[0]?.width, height: facts[0]?.height },
      { width: 10, height: 5 },
    ]);
    for (const { bytes } of pictures) expect(Buffer.from(bytes).includes('Canary')).toBe(false);
  });

  test('[S27] of an animation are its first frame', async () => {
    const [picture] = await worker().render(await hostile.animation(5), small);
    expect(picture).toMatchObject({ width: 16, height: 16 });
    expect((await sharp(picture?.bytes).stats()).dominant).toMatchObject({ r: 248, g: 248, b: 248 });
  });
});

describe('[S27] refused before a pixel is decoded:', () => {
  test.each<[string, () => Promise<Buffer> | Buffer, string]>([
    ['nothing', () => Buffer.alloc(0), 'empty'],
    ['an SVG', () => hostile.svg(), 'vector'],
    ['an SVG with 24 filters', hostile.svgWithFilters, 'vector'],
    ['an SVG with an embedded picture', hostile.svgWithPicture, 'vector'],
    [
      'an SVG with a declaration, in UTF-16',
      () => Buffer.from(`<?xml version="1.0"?>\n${hostile.svg().toString()}`, 'utf16le'),
      'vector',
    ],
    ['text', () => Buffer.from('not an image'), 'unreadable'],
    ['a format that nobody needs', () => hostile.plain(9, 9).tiff().toBuffer(), 'unreadable'],
    [
      'the first bytes of a PNG before an SVG',
      () => Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), hostile.svg()]),
      'unreadable',
    ],
    ['a PNG of 400 million pixels', hostile.bomb, 'too-many-pixels'],
    ['a PNG that claims to be huge', hostile.hugeByName, 'too-many-pixels'],
    ['a long animation', () => hostile.animation(imageLimits.mostFrames + 1), 'too-many-frames'],
    ['half a picture', hostile.truncatedImage, 'unreadable'],
    ['a HEIC', () => hostile.ofBrands('heic', 'mif1', 'heic'), 'heic'],
    ['a HEIC that says to be an AVIF', () => hostile.ofBrands('avif', 'mif1', 'heic'), 'unreadable'],
  ])('%s', async (_, make, refusal) => {
    expect(await refusalOf(worker().render(await make(), small))).toBe(refusal);
  });

  test('a file that is too large', async () => {
    const file = await hostile.plain(9, 9).png().toBuffer();
    const limits = { ...imageLimits, mostBytes: file.length - 1 };
    expect(await refusalOf(worker().render(file, small, limits))).toBe('too-many-bytes');
  });
});

test('[S27 S42] a picture that takes more memory than a process may have costs that process and no other', async () => {
  const images = worker({ megabytes: 128 });
  const heavy = await hostile.heavy();
  const light = await hostile.plain(9, 9).png().toBuffer();
  const [refusal, pictures] = await Promise.all([refusalOf(images.render(heavy, small)), images.render(light, small)]);
  expect([refusal, pictures.length, images.pids]).toEqual(['too-expensive', 1, []]);
  expect(await worker().render(heavy, small)).toHaveLength(1);
});

test('[S25 S27] a process that hangs is killed and replaced; a few run at once, some wait, the next hears 503', async () => {
  const light = await hostile.plain(9, 9).png().toBuffer();
  const images = worker({ program: hanging, seconds: 1, patience: 1 });
  const hung = Array.from({ length: 2 }, () => refusalOf(images.render(light, small)));
  await vi.waitUntil(() => images.pids.length === 2);
  const first = images.pids;
  const waiting = Array.from({ length: 16 }, () => images.render(light, small).catch(() => undefined));
  expect([images.pids.length, images.waitingCount]).toEqual([2, 16]);
  await expect(images.render(light, small)).rejects.toMatchObject({ kind: 'unavailable', retryAfterSeconds: 1 });
  expect(await Promise.all(hung)).toEqual(['too-expensive', 'too-expensive']);
  expect(first.filter(isRunning)).toEqual([]);
  await vi.waitUntil(() => images.pids.length === 2);
  expect(images.pids.some((pid) => first.includes(pid))).toBe(false);
  expect(images.waitingCount).toBe(14);
  images.onApplicationShutdown();
  await Promise.all(waiting);
  expect(images.pids).toEqual([]);
});

test.each([
  ['takes more of a processor than it may is killed', 'spinning', 'too-expensive'],
  ['waits for a processor for longer than it may take of one is waited for', 'waiting', 'none'],
])('[S25 S27] a process that %s', async (_, name, refusal) => {
  const program = new URL(`../testing/${name}-image-process.ts`, import.meta.url);
  const light = await hostile.plain(9, 9).png().toBuffer();
  expect(await refusalOf(worker({ program, seconds: 1, patience: 40 }).render(light, small))).toBe(refusal);
});

test('[S27 S32] the process that decodes has no setting and no secret of the service', async () => {
  const [picture] = await worker({ program: new URL('../testing/telling-image-process.ts', import.meta.url) }).render(
    await hostile.plain(9, 9).png().toBuffer(),
    small,
  );
  const { names, pid } = JSON.parse(Buffer.from(picture?.bytes ?? []).toString()) as { names: string[]; pid: number };
  expect(pid).not.toBe(process.pid);
  expect(names.filter((name) => !/^(MALLOC_ARENA_MAX|NODE_CHANNEL_.*|PWD|OLDPWD|SHLVL|_)$/.test(name))).toEqual([]);
});
