import { brandingSchema } from '@caravan/contracts/http/accounts';
import { companySchema } from '@caravan/contracts/http/organisations';
import { ImageWorker } from '@caravan/service-kit/media/image-worker';
import * as hostile from '@caravan/service-kit/testing/hostile-images';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type IdentityUnderTest, startIdentity } from '../../testing/identity.ts';
import { foundOrganisation } from '../../testing/organisations.ts';
import type { Visitor } from '../../testing/visitor.ts';

let identity: IdentityUnderTest;
beforeAll(async () => {
  identity = await startIdentity({ FAILURES_PER_ADDRESS: '100000' });
});
afterAll(() => identity.close());

const northwind = {
  companyName: 'Northwind Outdoors',
  employeeRange: '51-100',
  brandTraits: ['bold', 'playful'],
  industry: 'Retail',
  brandColors: ['#0F766E', '#f59e0b'],
};
const setUp = (admin: Visitor, changes: object = {}) => admin.post('/api/company/setup', { ...northwind, ...changes });
const company = async (admin: Visitor) => companySchema.strict().parse((await admin.get('/api/company')).body);
const branding = async (one: Visitor) => brandingSchema.strict().parse((await one.get('/api/org/branding')).body);

const png = hostile.plain;
const dataUrl = (type: string, file: Buffer | string) =>
  `data:image/${type};base64,${Buffer.from(file).toString('base64')}`;
const decodeLogo = async (url: unknown) => {
  const [head, base64] = String(url).split(',');
  expect(head).toBe('data:image/webp;base64');
  const file = Buffer.from(base64 ?? '', 'base64');
  return { file, ...(await sharp(file).metadata()) };
};
describe('the logo', () => {
  test.each([
    ['png', async () => dataUrl('png', await png(600, 300).png().toBuffer())],
    ['jpeg', async () => dataUrl('jpeg', await png(600, 300).jpeg().toBuffer())],
    ['webp', async () => dataUrl('webp', await png(600, 300).webp().toBuffer())],
    ['gif', async () => dataUrl('gif', await png(600, 300).gif().toBuffer())],
    ['a jpeg that is said to be a png', async () => dataUrl('png', await png(600, 300).jpeg().toBuffer())],
  ])('[5.19 3.47] of %s is written anew as WebP of at most 256 pixels', async (_, make) => {
    const { admin } = await foundOrganisation(identity);
    const { status, body } = await setUp(admin, { logoUrl: await make() });
    expect(status).toBe(200);
    expect(await decodeLogo(body['logoUrl'])).toMatchObject({ format: 'webp', width: 256, height: 128 });
    expect((await branding(admin)).logoUrl).toBe(body['logoUrl']);
  });

  test('[5.19] of a gif that moves is its first frame', async () => {
    const { admin } = await foundOrganisation(identity);
    const { body } = await setUp(admin, { logoUrl: dataUrl('gif', await hostile.animation(5)) });
    expect(await decodeLogo(body['logoUrl'])).toMatchObject({ format: 'webp', width: 16, height: 16 });
  });

  test('[S27] keeps nothing of the file but the picture, the right way up', async () => {
    const { admin } = await foundOrganisation(identity);
    const withExif = await png(40, 20)
      .withExif({ IFD0: { Copyright: 'Canary' }, IFD3: { GPSLatitude: '51/1 30/1 0/1' } })
      .jpeg()
      .withMetadata({ orientation: 6 })
      .toBuffer();
    const { body } = await setUp(admin, { logoUrl: dataUrl('jpeg', withExif) });
    const logo = await decodeLogo(body['logoUrl']);
    expect(logo).toMatchObject({ width: 20, height: 40 });
    expect(logo.exif).toBeUndefined();
    expect(logo.file.includes('Canary')).toBe(false);
  });

  test('[D38] is small whatever comes: noise of 800 pixels fits into 64 kB', async () => {
    const { admin } = await foundOrganisation(identity);
    const noise = await sharp({
      create: {
        width: 420,
        height: 420,
        channels: 3,
        background: 'black',
        noise: { type: 'gaussian', mean: 128, sigma: 90 },
      },
    })
      .jpeg({ quality: 95 })
      .toBuffer();
    const { status, body } = await setUp(admin, { logoUrl: dataUrl('jpeg', noise) });
    expect(status).toBe(200);
    expect(String(body['logoUrl']).length).toBeLessThanOrEqual(64 * 1024);
  });

  test('[7.32] stays when it is not named or sent back, and goes when it is empty', async () => {
    const { admin } = await foundOrganisation(identity);
    const { body } = await setUp(admin, { logoUrl: dataUrl('png', await png(10, 10).png().toBuffer()) });
    for (const logoUrl of [undefined, null, body['logoUrl']])
      expect((await setUp(admin, { logoUrl })).body['logoUrl']).toBe(body['logoUrl']);
    expect((await setUp(admin, { logoUrl: '' })).body['logoUrl']).toBeNull();
  });

  test.each<[string, () => Promise<string> | string]>([
    ['text', () => dataUrl('png', 'not an image')],
    ['nothing', () => 'data:image/png;base64,'],
    ['half a picture', async () => dataUrl('png', await hostile.truncatedImage())],
    ['HTML', () => 'data:text/html;base64,PHNjcmlwdD4='],
    ['HTML said to be an image', () => dataUrl('png', '<html><script>alert(1)</script></html>')],
    ['an address, which is never fetched', () => `${identity.url}/health/live`],
    ['a script', () => 'javascript:alert(1)'],
    ['a PDF', () => dataUrl('png', '%PDF-1.4 %âãÏÓ')],
    ['a TIFF', async () => dataUrl('png', await png(9, 9).tiff().toBuffer())],
  ])('[5.19 S27 S30] that is %s is refused', async (_, make) => {
    const { admin } = await foundOrganisation(identity);
    const answer = await setUp(admin, { logoUrl: await make() });
    expect(answer).toMatchObject({
      status: 422,
      body: {
        message: 'The logo is not an image we can read',
        errors: [{ path: 'logoUrl', message: 'The logo is not an image we can read' }],
      },
    });
    expect((await company(admin)).setUpAt).toBeNull();
  });

  test('[D38] above 700 kB is refused', async () => {
    const { admin } = await foundOrganisation(identity);
    const { body } = await setUp(admin, { logoUrl: `data:image/png;base64,${'A'.repeat(961_000)}` });
    expect(body['message']).toBe('The logo must be smaller than 700 kB');
  });

  test.each<[string, string, () => Promise<Buffer> | Buffer]>([
    ['an SVG', 'svg+xml', () => hostile.svg()],
    ['an SVG that is said to be a PNG', 'png', () => hostile.svg()],
    ['an SVG with 24 filters', 'svg+xml;charset=utf-8', hostile.svgWithFilters],
    ['an SVG with a picture of 400 million pixels', 'png', hostile.svgWithPicture],
  ])('[S27 S30 S36] that is %s is refused in clear words, and nothing renders it', async (_, type, make) => {
    const { admin } = await foundOrganisation(identity);
    const answer = await setUp(admin, { logoUrl: dataUrl(type, await make()) });
    expect(answer.status).toBe(422);
    expect(answer.body['message']).toBe('SVG logos are not taken: save the logo as PNG, JPEG, WebP or GIF');
  });

  test.each<[string, () => Promise<Buffer> | Buffer, string]>([
    ['a PNG of 400 million pixels', hostile.bomb, 'The logo must have at most 48 million pixels'],
    ['a PNG that claims to be huge', hostile.hugeByName, 'The logo must have at most 48 million pixels'],
    ['a long animation', () => hostile.animation(257), 'The logo must have at most 256 frames'],
  ])('[S27] that is %s is refused before it is decoded', async (_, make, message) => {
    const { admin } = await foundOrganisation(identity);
    const { status, body } = await setUp(admin, { logoUrl: dataUrl('png', await make()) });
    expect([status, body['message']]).toEqual([422, message]);
  });

  test('[S25 S27] with as many logos under way as may be, one more is 503 with Retry-After, and people sign in', async () => {
    const { admin } = await foundOrganisation(identity);
    const images = identity.app.get(ImageWorker);
    const logoUrl = dataUrl('png', await hostile.heavy());
    const file = Buffer.from(logoUrl.slice(logoUrl.indexOf(',') + 1), 'base64');
    const others = Array.from({ length: 18 }, () =>
      images.render(file, [{ edgePixels: 256, format: 'webp' }]).catch(() => undefined),
    );
    await expect.poll(() => [images.pids.length, images.waitingCount]).toEqual([2, 16]);
    const answer = await setUp(admin, { logoUrl: dataUrl('png', await png(9, 9).png().toBuffer()) });
    expect(answer).toMatchObject({ status: 503, body: { code: 'image/too-many' } });
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    // All that decodes is a process of its own: none of it is waited for by who signs in.
    await identity.signedIn();
    expect(images.waitingCount).toBeGreaterThan(0);
    expect(images.pids).not.toContain(process.pid);
    for (const pid of images.pids) process.kill(pid, 'SIGKILL');
    images.onApplicationShutdown();
    await Promise.all(others);
  });
});
