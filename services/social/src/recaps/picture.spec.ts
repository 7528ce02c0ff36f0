import { describe, expect, test } from 'vitest';
import { type Picture, svgOf } from './picture.ts';

const week: Picture = {
  weekStartDate: '2026-11-09',
  weekEndDate: '2026-11-15',
  miles: 80.5,
  previousMiles: 70,
  memberCount: 12,
  teams: [
    { name: 'Thunder', miles: 42 },
    { name: 'Blazers', miles: 38.5 },
  ],
  streaksKept: 1,
  checkpoints: 2,
  own: null,
};

describe('[D28] the picture of a recap', () => {
  test('says what happened in words', () => {
    const svg = svgOf(week);
    expect(svg).toMatch(/9.–.15 November/);
    for (const words of ['80.5', '10.5 more than the week before', '12 people moved']) expect(svg).toContain(words);
    for (const words of ['1 streak kept', '2 checkpoints reached', 'Thunder', '38.5']) expect(svg).toContain(words);
  });

  test('takes what was typed as letters, whatever it is', () => {
    const name = `</text><script>alert("1")</script>`;
    const svg = svgOf({ ...week, teams: [{ name, miles: 1 }], own: { name: `&\u0000'"<b>`, miles: 1 } });
    expect(svg).not.toMatch(/<script|<b>|\u0000|&'/);
    expect(svg).toContain('&lt;/text&gt;&lt;script&gt;a');
  });

  test('is drawn for a week in which nobody moved', () => {
    const svg = svgOf({
      ...week,
      miles: 0,
      previousMiles: 0,
      memberCount: 0,
      teams: [],
      streaksKept: 0,
      checkpoints: 0,
    });
    expect(svg).toContain('0 people moved');
    expect(svg).not.toContain('Top teams');
  });
});
