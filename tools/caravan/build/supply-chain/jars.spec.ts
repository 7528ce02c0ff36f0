import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { UserError } from '../../process/terminal.ts';
import { checksumsFile, checksumsIn, checksumsText, verifyJars } from './jars.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'Müller & Söhne '));
  for (const module of ['kafka', 's3proxy']) {
    mkdirSync(join(folder, module));
    for (const name of ['one.jar', 'two.jar']) writeFileSync(join(folder, module, name), `${module} ${name}`);
  }
});
afterEach(() => rmSync(folder, { recursive: true }));

const refusal = (checksums: ReadonlyMap<string, string>): UserError | undefined => {
  try {
    verifyJars(folder, checksums);
    return undefined;
  } catch (error) {
    if (error instanceof UserError) return error;
    throw error;
  }
};

describe('the jars that the launcher downloads', () => {
  test('[S41] are used when each has its checksum', () => {
    expect(refusal(checksumsIn(checksumsText(folder)))).toBeUndefined();
  });

  test('[S41] are refused with a sentence and an advice when one byte of one has changed', () => {
    const checksums = checksumsIn(checksumsText(folder));
    writeFileSync(join(folder, 'kafka/two.jar'), 'kafka two.jaR');
    const { message = '', advice = '' } = refusal(checksums) ?? {};
    expect(message).toBe('kafka/two.jar is not the file whose checksum stands in infra/local/jars.sha256.');
    expect(advice).toContain(`Remove ${folder} and start again.`);
  });

  test('[S41] are refused when one is missing, and when there is one that nobody named', () => {
    const checksums = checksumsIn(checksumsText(folder));
    rmSync(join(folder, 's3proxy/one.jar'));
    expect(refusal(checksums)?.message).toBe('s3proxy/one.jar was not downloaded.');
    writeFileSync(join(folder, 's3proxy/one.jar'), 's3proxy one.jar');
    writeFileSync(join(folder, 's3proxy/three.jar'), 's3proxy three.jar');
    expect(refusal(checksums)?.message).toBe('s3proxy/three.jar has no checksum in infra/local/jars.sha256.');
  });

  test('[S41] all have a checksum in the repository, of both servers', () => {
    const paths = [...checksumsIn(readFileSync(checksumsFile, 'utf8')).keys()];
    for (const name of ['kafka/kafka-server-', 's3proxy/s3proxy-'])
      expect(paths.some((path) => path.startsWith(name))).toBe(true);
    expect(new Set(paths).size).toBe(paths.length);
  });
});
