import { describe, expect, test } from 'vitest';
import { anchorsIn, boldNames, deadLinks, type Document, longCells, wordsIn } from './documents.ts';

const written = (text: string): Document => ({ path: 'docs/operate/index.md', text, isGenerated: false });

describe('the counter of words', () => {
  test('counts words and numbers, and no marks of Markdown', () => {
    expect(wordsIn(written('# Two words\n\n| a | - |\n\n- 3 **bold** --'))).toBe(5);
  });

  test('counts nothing of a generated document, nor of a generated part', () => {
    expect(wordsIn({ path: 'a.md', text: 'one two', isGenerated: true })).toBe(0);
    expect(wordsIn(written('one\n<!-- written by ./caravan mutants -->\n| two |\n<!-- end -->\nthree'))).toBe(2);
  });
});

test('a long cell is found in any column, and an escaped bar does not end a cell', () => {
  expect(longCells(written('| short | much too long |\n| --- | --- |'), 8)).toEqual(['much too long']);
  expect(longCells(written('| a \\| b |'), 3)).toEqual(['a \\| b']);
});

describe('the check of links', () => {
  test('accepts files and headings that exist, other sites and links in code', () => {
    const links = '[a](compose.md) [b](compose.md#settings) [c](https://example.org) `[d](nowhere.md)`';
    expect(deadLinks(written(links))).toEqual([]);
  });

  test('refuses a missing file and a missing heading', () => {
    expect(deadLinks(written('[a](nowhere.md) [b](compose.md#nowhere)'))).toEqual(['nowhere.md', 'compose.md#nowhere']);
  });
});

test('an anchor has the letters of its heading in lower case and hyphens for spaces', () => {
  expect(anchorsIn('## Rolling out, the first time\n\n## `es.append` & locks')).toEqual([
    'rolling-out-the-first-time',
    'esappend--locks',
  ]);
});

test('names of controls are what is bold outside of code', () => {
  expect(boldNames(written('Choose **Save Changes**, not `**this**`.'))).toEqual(['Save Changes']);
});
