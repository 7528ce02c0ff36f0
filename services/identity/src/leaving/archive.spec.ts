import { buffer } from 'node:stream/consumers';
import { Readable } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { unzip } from '@caravan/service-kit/testing/unzip';
import { csvOf } from '../audit/csv.ts';
import { zipOf } from './collected-files.service.ts';

const about = { name: 'Maya', at: new Date('2026-11-21T14:05:00.000Z') };

describe('the file of an export', () => {
  test('[S35] holds each table as JSON and as CSV, in a folder of its service, and says what is in it', async () => {
    const rows = [
      { miles: 3, caption: 'Zum Büro, "schnell"' },
      { miles: 1.5, at: about.at, tags: ['a', 'b'] },
    ];
    const files = unzip(
      await buffer(zipOf({ activity: { movements: rows }, scoring: { 'own badges/..': [] } }, about)),
    );
    expect(Object.keys(files)).toEqual([
      'README.txt',
      'activity/movements.json',
      'activity/movements.csv',
      'scoring/own-badges---.json',
      'scoring/own-badges---.csv',
    ]);
    expect(JSON.parse(files['activity/movements.json'] ?? '')).toEqual(JSON.parse(JSON.stringify(rows)));
    expect(files['activity/movements.csv']).toBe(
      '\ufeffmiles,caption,at,tags\n3,"Zum Büro, ""schnell""",,\n1.5,,2026-11-21T14:05:00.000Z,"[""a"",""b""]"\n',
    );
    expect(files['README.txt']).toContain('activity/movements.json, .csv  (2)');
    expect(files['README.txt']).toContain('Maya on 2026-11-21T14:05:00.000Z');
  });

  test('[S35 D29] breaks when a picture does, and is no shorter file', async () => {
    const broken = Readable.from(
      (function* () {
        yield Buffer.from('half of');
        throw new Error('the storage is gone');
      })(),
    );
    await expect(buffer(zipOf({}, about, [{ path: 'a.webp', content: broken }]))).rejects.toThrow('storage is gone');
  });

  test('[S35 D29] holds little of its pictures in memory, however many there are, and all of each', async () => {
    const chunk = Buffer.alloc(65_536, 'picture ');
    const chunks = 16;
    const count = 40;
    let read = 0;
    const pictures = Array.from({ length: count }, (_, nth) => ({
      path: `pictures/${nth}.webp`,
      get content() {
        const bytes = function* () {
          for (let part = 0; part < chunks; part += 1) {
            read += chunk.length;
            yield chunk;
          }
        };
        return Readable.from(bytes(), { objectMode: false });
      },
    }));
    const written: Buffer[] = [];
    let bytes = 0;
    let most = 0;
    for await (const part of zipOf({}, about, pictures) as AsyncIterable<Buffer>) {
      most = Math.max(most, read - bytes);
      bytes += part.length;
      written.push(part);
    }
    expect(read).toBe(count * chunks * chunk.length);
    expect(most).toBeLessThan(1_048_576);
    const { 'README.txt': readme, ...files } = unzip(Buffer.concat(written));
    expect(readme).toContain('Everything Caravan held about Maya');
    expect(Object.keys(files)).toEqual(pictures.map(({ path }) => path));
    const whole = 'picture '.repeat((chunks * chunk.length) / 8);
    expect(Object.values(files).every((text) => text === whole)).toBe(true);
  });

  test('[S35] lets go of the picture that is being read, and opens no other, when nobody reads on', async () => {
    let opened = 0;
    let read = 0;
    const bytes = function* () {
      while (read < 1_000) {
        read += 1;
        yield Buffer.alloc(65_536);
      }
    };
    const long = Readable.from(bytes(), { objectMode: false });
    const pictures = function* () {
      while (true) {
        opened += 1;
        yield { path: `${opened}.webp`, content: long };
      }
    };
    const zip = zipOf({}, about, pictures());
    for await (const part of zip as AsyncIterable<Buffer>) if (part.length > 0 && read > 0) break;
    await expect.poll(() => long.destroyed).toBe(true);
    expect([opened, read < 100]).toEqual([1, true]);
  });

  test('[S35] runs no formula in a spreadsheet, whatever somebody typed', () => {
    fc.assert(
      fc.property(fc.constantFrom('=', '+', '-', '@', '\t', '\r'), fc.string({ unit: 'binary' }), (sign, rest) => {
        const line = csvOf([{ text: `${sign}${rest}` }]).slice('\ufefftext\n'.length);
        expect(line).toMatch(/^"?'/);
      }),
      { numRuns: 50 },
    );
  });
});
