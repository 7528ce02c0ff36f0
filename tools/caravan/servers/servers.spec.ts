import { expect, test } from 'vitest';
import { propertyValue } from './java-servers.ts';
import { redisQuoted } from './servers.ts';

test('a value of a Java properties file is ASCII and keeps what it says', () => {
  expect(propertyValue('/home/Müller & Söhne/data')).toBe('/home/M\\u00fcller & S\\u00f6hne/data');
  expect(propertyValue('C:\\x 🚐')).toBe('C:\\\\x \\ud83d\\ude90');
  expect(propertyValue(' a=b #c')).toBe('\\ a=b #c');
});

test('a path in redis.conf ends where its quotes end', () => {
  expect(redisQuoted('/tmp/a "b" \\c')).toBe(String.raw`"/tmp/a \"b\" \\c"`);
});
