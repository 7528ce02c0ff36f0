import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { LogStream } from './log-stream.ts';

let folder: string;
let printed: string[];
let stream: LogStream;

function begin(...words: string[]): void {
  stream = new LogStream(folder, { words, print: (line) => printed.push(line) });
  stream.start();
}

const write = (name: string, text: string) => appendFileSync(join(folder, `${name}.log`), text);
const line = (level: string, msg: string) => `${JSON.stringify({ level, time: '2026-11-28T00:13:06.171Z', msg })}\n`;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'caravan-logs-'));
  printed = [];
  writeFileSync(join(folder, 'scoring.log'), line('info', 'of an earlier start'));
});
afterEach(() => {
  stream.stop();
  rmSync(folder, { recursive: true });
});

test('the logs of all processes are one stream, each line behind the name of its process', async () => {
  begin();
  write('scoring', line('info', 'serving'));
  write('social', line('warn', 'late'));
  await expect.poll(() => printed).toHaveLength(2);
  expect(printed[0]).toMatch(/^scoring {6}\[.*\] INFO: serving$/);
  expect(printed[1]).toMatch(/^social {7}\[.*\] WARN: late$/);
});

test('a line that is written in two steps is shown once, whole', async () => {
  begin();
  // The first step ends within a letter of two bytes.
  const whole = Buffer.from(line('info', 'in two steps: ü'));
  const middle = whole.indexOf('ü') + 1;
  appendFileSync(join(folder, 'scoring.log'), whole.subarray(0, middle));
  write('social', line('info', 'meanwhile'));
  await expect.poll(() => printed).toHaveLength(1);
  appendFileSync(join(folder, 'scoring.log'), whole.subarray(middle));
  await expect.poll(() => printed).toHaveLength(2);
  expect(printed[1]).toContain('in two steps: ü');
});

test('words choose the lines of one process and lines with that word; servers are shown only when they are named', async () => {
  begin('scoring', 'trace-7');
  write('kafka', 'Kafka Server started\n');
  write('social', line('info', 'of no interest'));
  write('social', line('info', 'about trace-7'));
  write('scoring', line('info', 'anything'));
  await expect.poll(() => printed).toHaveLength(2);
  expect(printed.join()).toMatch(/about trace-7.*anything/);
  stream.show(['kafka']);
  write('kafka', 'Closing socket\n');
  await expect.poll(() => printed).toHaveLength(3);
  expect(printed[2]).toMatch(/^kafka +Closing socket$/);
});
