import { arrivedPartsSchema, companionWords } from '@caravan/contracts/http/companion';
import { mostPhotoBytes, photoWords } from '@caravan/contracts/http/photos';
import { Rejected } from '@caravan/kernel/rejected';
import { describe, expect, test } from 'vitest';
import { answerOf, callOf, isTooMuch, partNumberOf, uploadIdIn } from './storage-call.ts';

const id = '0199aaaa-0000-7000-8000-000000000001';

function refusalOf(work: () => unknown): { kind: string; message: string } {
  try {
    work();
  } catch (error) {
    if (error instanceof Rejected) return { kind: error.kind, message: error.message };
    throw error;
  }
  throw new Error('not refused');
}

describe('what the panel asks', () => {
  test('[S28] names an upload by a key of ours and by nothing else', () => {
    expect(uploadIdIn(`incoming/${id}/${id}/${id}`)).toBe(id);
    for (const key of [
      '',
      id,
      `photos/${id}/${id}`,
      `incoming/${id}/${id}/${id}/x`,
      `incoming/${id}/${id}/..`,
      `/incoming/${id}/${id}/${id}`,
    ])
      expect(uploadIdIn(key)).toBeUndefined();
  });

  test('[S28] reaches Companion as what it is, whatever stands in it', () => {
    const path = callOf({ key: 'a/b?c&key=d#', multipartId: '../e?x=1/2' }, '/1');
    expect(path).toBe('multipart/..%2Fe%3Fx%3D1%2F2/1?key=a%2Fb%3Fc%26key%3Dd%23');
  });

  test.each([
    ['', 'malformed', companionWords.cannotSign],
    ['0', 'malformed', companionWords.partNumber],
    ['10001', 'malformed', companionWords.partNumber],
    ['1e1', 'malformed', companionWords.partNumber],
    ['-1', 'malformed', companionWords.partNumber],
    [' 1', 'malformed', companionWords.partNumber],
    ['4', 'too-large', photoWords.tooLarge],
    ['10000', 'too-large', photoWords.tooLarge],
  ])('[8.15 9.25] for the part "%s" is %s', (text, kind, message) => {
    expect(refusalOf(() => partNumberOf(text))).toEqual({ kind, message });
  });

  test('[9.25] is about the parts of ten megabytes, and one more that shows that it is too large', () => {
    expect(['1', '2', '03'].map(partNumberOf)).toEqual([1, 2, 3]);
  });
});

test('[9.25] more than ten megabytes in parts is too much, ten are not', () => {
  const parts = (...sizes: number[]) => sizes.map((Size, nth) => ({ PartNumber: nth + 1, ETag: '"x"', Size }));
  expect([parts(), parts(mostPhotoBytes), parts(mostPhotoBytes, 1)].map(isTooMuch)).toEqual([false, false, true]);
});

test.each([
  [404, 'not-found'],
  [400, 'malformed'],
  [409, 'malformed'],
  [403, 'unavailable'],
  [500, 'unavailable'],
  [503, 'unavailable'],
])('[8.15] what the storage refuses with %d is %s for the panel', (status, kind) => {
  const refusal = refusalOf(() => answerOf(arrivedPartsSchema, { status, body: { code: 'SignatureDoesNotMatch' } }));
  expect(refusal.kind).toBe(kind);
  expect(refusal.message).not.toContain('Signature');
});
