import { brandingSchema } from '@caravan/contracts/http/accounts';
import { companySchema } from '@caravan/contracts/http/organisations';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type IdentityUnderTest, startIdentity } from '../../testing/identity.ts';
import { founded } from '../../testing/organisations.ts';
import type { Visitor } from '../../testing/visitor.ts';

let identity: IdentityUnderTest;
beforeAll(async () => {
  identity = await startIdentity({ FAILURES_PER_ADDRESS: '100000' });
});
afterAll(() => identity.close());

const northwind = {
  ...{ companyName: 'Northwind Outdoors', employeeRange: '51-100', brandTraits: ['bold', 'playful'] },
  ...{ industry: 'Retail', brandColors: ['#0F766E', '#f59e0b'] },
};
const setUp = (admin: Visitor, changes: object = {}) => admin.post('/api/company/setup', { ...northwind, ...changes });
const company = async (admin: Visitor) => companySchema.strict().parse((await admin.get('/api/company')).body);
const branding = async (one: Visitor) => brandingSchema.strict().parse((await one.get('/api/org/branding')).body);

const png = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 4, background: { r: 20, g: 120, b: 110, alpha: 0.5 } } });
const dataUrl = (type: string, file: Buffer | string) =>
  `data:image/${type};base64,${Buffer.from(file).toString('base64')}`;
const decoded = async (url: unknown) => {
  const [head, base64] = String(url).split(',');
  expect(head).toBe('data:image/webp;base64');
  const file = Buffer.from(base64 ?? '', 'base64');
  return { file, ...(await sharp(file).metadata()) };
};
const svg = (inside = '', size = 'width="300" height="100"') =>
  `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ${size}>${inside}<rect width="300" height="100" fill="teal"/></svg>`;

describe('the logo', () => {
  test.each([
    ['png', async () => dataUrl('png', await png(600, 300).png().toBuffer())],
    ['jpeg', async () => dataUrl('jpeg', await png(600, 300).jpeg().toBuffer())],
    ['webp', async () => dataUrl('webp', await png(600, 300).webp().toBuffer())],
    ['gif', async () => dataUrl('gif', await png(600, 300).gif().toBuffer())],
    ['avif', async () => dataUrl('avif', await png(600, 300).avif({ effort: 0 }).toBuffer())],
    ['svg', async () => dataUrl('svg+xml', svg('', 'width="600" height="300"'))],
    ['svg with a charset', async () => dataUrl('svg+xml;charset=utf-8', svg('', 'width="600" height="300"'))],
  ])('[5.19 3.47] of %s is written anew as WebP of at most 256 pixels', async (_, make) => {
    const { admin } = await founded(identity);
    const { status, body } = await setUp(admin, { logoUrl: await make() });
    expect(status).toBe(200);
    expect(await decoded(body['logoUrl'])).toMatchObject({ format: 'webp', width: 256, height: 128 });
    expect((await branding(admin)).logoUrl).toBe(body['logoUrl']);
  });

  test('[S27] keeps nothing of the file but the picture, the right way up', async () => {
    const { admin } = await founded(identity);
    const withExif = await png(40, 20)
      .withExif({ IFD0: { Copyright: 'Canary' }, IFD3: { GPSLatitude: '51/1 30/1 0/1' } })
      .jpeg()
      .withMetadata({ orientation: 6 })
      .toBuffer();
    const { body } = await setUp(admin, { logoUrl: dataUrl('jpeg', withExif) });
    const logo = await decoded(body['logoUrl']);
    expect(logo).toMatchObject({ width: 20, height: 40 });
    expect(logo.exif).toBeUndefined();
    expect(logo.file.includes('Canary')).toBe(false);
  });

  test('[D38] is small whatever comes: noise of 800 pixels fits into 64 kB', async () => {
    const { admin } = await founded(identity);
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
    const { admin } = await founded(identity);
    const { body } = await setUp(admin, { logoUrl: dataUrl('png', await png(10, 10).png().toBuffer()) });
    for (const logoUrl of [undefined, null, body['logoUrl']])
      expect((await setUp(admin, { logoUrl })).body['logoUrl']).toBe(body['logoUrl']);
    expect((await setUp(admin, { logoUrl: '' })).body['logoUrl']).toBeNull();
  });

  test.each<[string, () => Promise<string> | string]>([
    ['text', () => dataUrl('png', 'not an image')],
    ['nothing', () => 'data:image/png;base64,'],
    ['half a picture', async () => dataUrl('png', (await png(300, 300).png().toBuffer()).subarray(0, 200))],
    ['HTML', () => 'data:text/html;base64,PHNjcmlwdD4='],
    ['HTML said to be an image', () => dataUrl('png', '<html><script>alert(1)</script></html>')],
    ['an address, which is never fetched', () => `${identity.url}/health/live`],
    ['a script', () => 'javascript:alert(1)'],
    ['a PDF', () => dataUrl('png', '%PDF-1.4 %âãÏÓ')],
    ['more pixels than anybody has', () => dataUrl('svg+xml', svg('', 'width="30000" height="30000"'))],
    ['a png that claims to be huge', async () => dataUrl('png', hugePng(await png(8, 8).png().toBuffer()))],
  ])('[5.19 S27 S30] that is %s is refused', async (_, make) => {
    const { admin } = await founded(identity);
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
    const { admin } = await founded(identity);
    const { body } = await setUp(admin, { logoUrl: `data:image/png;base64,${'A'.repeat(961_000)}` });
    expect(body['message']).toBe('The logo must be smaller than 700 kB');
  });

  test('[S30 S36] an SVG brings nothing along: no script, no file, no address', async () => {
    const { admin } = await founded(identity);
    const inside = `<script>alert(1)</script><image xlink:href="${identity.url}/health/live" width="9" height="9"/>
      <image xlink:href="file:///etc/passwd" width="9" height="9"/>`;
    const { status, body } = await setUp(admin, { logoUrl: dataUrl('svg+xml', svg(inside)) });
    expect(status).toBe(200);
    const { file } = await decoded(body['logoUrl']);
    expect(file.includes('script')).toBe(false);
    const entity = `<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]>${svg('<text>&x;</text>')}`;
    expect([200, 422]).toContain((await setUp(admin, { logoUrl: dataUrl('svg+xml', entity) })).status);
  });
});

/** A PNG whose header says 40,000 × 40,000. */
function hugePng(file: Buffer): Buffer {
  const forged = Buffer.from(file);
  forged.writeUInt32BE(40_000, 16);
  forged.writeUInt32BE(40_000, 20);
  return forged;
}
