import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';

/** Files that somebody could send as a picture to do harm. */

export const plain = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 4, background: { r: 20, g: 120, b: 110, alpha: 0.5 } } });

export const svg = (inside = '', size = 'width="300" height="100"') =>
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ${size}>${inside}<rect width="300" height="100" fill="teal"/></svg>`,
  );

/** 24 blurs over each other in 5 KB: 11 s of rendering, were it rendered. */
export const svgWithFilters = () => {
  const blurs = Array.from({ length: 24 }, (_, nth) => `<feGaussianBlur stdDeviation="${40 + nth}"/>`).join('');
  return svg(
    `<filter id="f" width="9" height="9">${blurs}</filter><rect width="9000" height="9000" filter="url(#f)"/>`,
  );
};

/** A picture of 400 million pixels in one of a few kilobytes. */
export const svgWithPicture = () =>
  svg(`<image width="9" height="9" xlink:href="data:image/png;base64,${bomb().toString('base64')}"/>`);

/** 20,000 × 20,000 black pixels, all of them really there, in 50 kB. */
export function bomb(): Buffer {
  const side = 20_000;
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  // One bit a pixel; each row begins with the byte of its filter.
  header[8] = 1;
  const rows = deflateSync(Buffer.alloc(side * (1 + side / 8)), { level: 6 });
  const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', rows), chunk('IEND', Buffer.alloc(0))]);
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const length = Buffer.alloc(4);
  const sum = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}

/** Within the limits, and whole in memory before its first row can be written: interlaced. */
export const heavy = () => plain(6_000, 8_000).png({ progressive: true, compressionLevel: 1 }).toBuffer();

/** A GIF of so many frames. */
export const animation = async (frames: number) => {
  const width = 16;
  const height = 16;
  const raw = Buffer.alloc(width * height * frames * 3, 0);
  for (let frame = 0; frame < frames; frame += 1)
    raw.fill(frame % 2 === 0 ? 255 : 90, frame * width * height * 3, (frame + 1) * width * height * 3);
  const strip = { raw: { width, height: height * frames, channels: 3 as const, pageHeight: height } };
  return sharp(raw, strip)
    .gif({ delay: Array.from({ length: frames }, () => 20), loop: 0 })
    .toBuffer();
};

/** A PNG whose header says 40,000 × 40,000. */
export async function hugeByName(): Promise<Buffer> {
  const forged = Buffer.from(await plain(8, 8).png().toBuffer());
  forged.writeUInt32BE(40_000, 16);
  forged.writeUInt32BE(40_000, 20);
  return forged;
}

export const truncatedImage = async () => (await plain(300, 300).png().toBuffer()).subarray(0, 200);

/** A picture to one reader, a page with a script to another. */
export const polyglot = async () =>
  Buffer.concat([await plain(20, 10).png().toBuffer(), Buffer.from('<html><script>alert("Canary")</script></html>')]);

/** A file in the format of HEIC and AVIF that says to be these, and has nothing in it. */
export const ofBrands = (...brands: readonly string[]) => {
  const [major = '', ...compatible] = brands;
  const box = Buffer.from(`\0\0\0\0ftyp${major}\0\0\0\0${compatible.join('')}`, 'latin1');
  box.writeUInt32BE(box.length);
  return Buffer.concat([box, Buffer.alloc(200)]);
};
