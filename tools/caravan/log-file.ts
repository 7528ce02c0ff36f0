import { closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs';

const readFrom = (file: string, from: number): string => {
  if (!existsSync(file)) return '';
  const handle = openSync(file, 'r');
  try {
    const length = Math.max(0, fstatSync(handle).size - from);
    const buffer = Buffer.alloc(length);
    readSync(handle, buffer, 0, length, from);
    return buffer.toString('utf8');
  } finally {
    closeSync(handle);
  }
};

/** Whether a log says `words` after byte `from`. */
export const logSays = (file: string, from: number, words: string): boolean => readFrom(file, from).includes(words);

/** The last lines of a log after byte `from`. */
export const lastLines = (file: string, from: number, count: number): string[] =>
  readFrom(file, from)
    .split('\n')
    .filter((line) => line.trim() !== '')
    .slice(-count);
