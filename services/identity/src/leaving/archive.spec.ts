import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { unzip } from '../../testing/unzip.ts';
import { csvOf } from '../audit/csv.ts';
import { zipOf } from './collected-files.service.ts';

const about = { name: 'Maya', at: new Date('2026-11-21T14:05:00.000Z') };

describe('the file of an export', () => {
  test('[S35] holds each table as JSON and as CSV, in a folder of its service, and says what is in it', async () => {
    const rows = [
      { miles: 3, caption: 'Zum Büro, "schnell"' },
      { miles: 1.5, at: about.at, tags: ['a', 'b'] },
    ];
    const files = unzip(await zipOf({ activity: { movements: rows }, scoring: { 'own badges/..': [] } }, about));
    expect(Object.keys(files)).toEqual([
      'README.txt',
      ...['activity/movements.json', 'activity/movements.csv'],
      ...['scoring/own-badges---.json', 'scoring/own-badges---.csv'],
    ]);
    expect(JSON.parse(files['activity/movements.json'] ?? '')).toEqual(JSON.parse(JSON.stringify(rows)));
    expect(files['activity/movements.csv']).toBe(
      '\ufeffmiles,caption,at,tags\n3,"Zum Büro, ""schnell""",,\n1.5,,2026-11-21T14:05:00.000Z,"[""a"",""b""]"\n',
    );
    expect(files['README.txt']).toContain('activity/movements.json, .csv  (2)');
    expect(files['README.txt']).toContain('Maya on 2026-11-21T14:05:00.000Z');
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
