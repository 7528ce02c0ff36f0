import { afterAll, describe, expect, test } from 'vitest';
import { Drawing } from './drawing.client.ts';

const drawing = new Drawing({ fonts: [], fontFamily: 'sans-serif' });
afterAll(() => drawing.close());
const square = (inside = '') => `<svg xmlns="http://www.w3.org/2000/svg" width="8" height="4">${inside}</svg>`;
/** Width and height as the header of a PNG says them. */
const sizeOf = (png: Buffer) => [png.readUInt32BE(16), png.readUInt32BE(20)];

describe('drawing', () => {
  test('answers a PNG of the size that the document says', async () => {
    const png = await drawing.png(square('<rect width="8" height="4" fill="#fff"/>'));
    expect([png.subarray(1, 4).toString(), ...sizeOf(png)]).toEqual(['PNG', 8, 4]);
  });

  test('refuses what is no document, and goes on', async () => {
    await expect(drawing.png('<svg')).rejects.toThrow();
    expect(sizeOf(await drawing.png(square()))).toEqual([8, 4]);
  });

  test('draws again after its thread has ended', async () => {
    await drawing.close();
    expect(sizeOf(await drawing.png(square()))).toEqual([8, 4]);
  });

  test('refuses the seventeenth that waits, with when to come back', async () => {
    const all = await Promise.allSettled(Array.from({ length: 17 }, () => drawing.png(square())));
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(16);
    expect(all.at(-1)).toMatchObject({ status: 'rejected', reason: { code: 'picture/too-many' } });
  });
});
