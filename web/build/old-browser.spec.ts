// @vitest-environment node
import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { supportedBrowsers, targets } from './browsers.ts';
import { oldBrowserScript } from './page.ts';

function pageIn(CSS: { supports: () => boolean } | undefined) {
  const shown: string[] = [];
  const parentNode = { replaceChild: (notice: { text: string }) => shown.push(notice.text) };
  const document = {
    getElementById: () => ({ parentNode }),
    createElement: () => {
      const notice = {
        text: '',
        style: {},
        setAttribute: () => undefined,
        appendChild: (text: string) => (notice.text = text),
      };
      return notice;
    },
    createTextNode: (text: string) => text,
  };
  const window = CSS ? { CSS } : {};
  runInNewContext(oldBrowserScript(), { window, document, CSS });
  return shown;
}

const notice = 'This browser is too old for Caravan. It needs Safari 17.5, Firefox 121, Chrome 123 or newer.';

test('[D36] a browser that is too old shows a notice in place of the app; one that is new enough shows the app', () => {
  expect(pageIn(undefined)).toEqual([notice]);
  expect(pageIn({ supports: () => false })).toEqual([notice]);
  expect(pageIn({ supports: () => true })).toEqual([]);
});

test('[D36] the notice runs in browsers that know no syntax after ECMAScript 5', () => {
  expect(oldBrowserScript()).not.toMatch(/=>|\b(let|const|class|async)\b|`|\?\.|\?\?/);
});

test('[D36] the README and the build name the browsers of the one list', () => {
  expect(readFileSync(`${import.meta.dirname}/../../README.md`, 'utf8')).toContain(supportedBrowsers);
  expect(targets).toEqual(expect.arrayContaining(['safari17.5', 'firefox121', 'chrome123']));
});
