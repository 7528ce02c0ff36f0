import { type APIRequestContext, expect } from '@playwright/test';
import sharp from 'sharp';
import { sizes } from '../accessible.ts';
import { join } from '../api.ts';
import { chooseCases } from '@caravan/contracts/testing/full';
import { test } from '../journey.ts';
import { type Awaited, shiftsWhileLoading } from '../layout-shifts.ts';
import { password, signIn } from '../people.ts';

const mostShift = 0.02;
const ballot = 'Your team is choosing its name';
const cards = ["This Week's Progress", 'Weekly Challenges', 'Team Progress', 'Recent Team Activity'];
const region = (name: string | RegExp): Awaited => ({ role: 'region', name });

async function idOf(request: APIRequestContext, email: string): Promise<string> {
  const answer = await request.post('/api/login', { data: { email, password } });
  return ((await answer.json()) as { user: { id: string } }).user.id;
}

const screensOf = (colleagueId: string): readonly { what: string; path: string; awaited: readonly Awaited[] }[] => [
  {
    what: 'the own profile',
    path: '/profile',
    awaited: [{ role: 'button', name: /follower/ }, region(/^Your \d{4}/), region('Your movements')],
  },
  {
    what: "another member's profile",
    path: `/user/${colleagueId}`,
    awaited: [{ role: 'button', name: /follower/ }, region('Badges')],
  },
  { what: 'the feed', path: '/feed', awaited: [{ role: 'article', name: '' }] },
  { what: 'the scoreboard', path: '/leaderboard', awaited: [region('Top performers')] },
  { what: 'the journey', path: '/journey', awaited: [region('Map')] },
  { what: 'the settings', path: '/settings', awaited: [{ role: 'button', name: 'Save Changes' }] },
  { what: 'the badges', path: '/badges', awaited: [region('All badges')] },
  { what: 'the recaps', path: '/recaps', awaited: [{ role: 'link', name: /miles/ }] },
];

for (const size of sizes)
  test(`[2.55 4.11] the dashboard stands still while it loads over slow 4G, ${size.width} px wide`, async ({
    browser,
    request,
  }) => {
    const newcomer = await join(request);
    const people = [
      { who: 'an admin', email: 'admin@caravan.example', also: [] },
      { who: 'a member with a recap and an open ballot', email: 'maya@caravan.example', also: [ballot] },
      { who: 'a newcomer with an open ballot', email: newcomer.email, also: [ballot] },
    ];
    for (const { who, email, also } of people)
      await test.step(who, async () => {
        const screen = { path: '/dashboard', size, awaited: cards.concat(also).map(region) };
        const { sum, moved } = await shiftsWhileLoading(browser, { email }, screen);
        expect(sum, `${who} saw it jump:\n${moved.join('\n')}`).toBeLessThanOrEqual(mostShift);
      });
  });

for (const size of sizes)
  test(`[2.102 2.107] the screens of a member stand still while they load over slow 4G, ${size.width} px wide`, async ({
    browser,
    request,
  }) => {
    const colleagueId = await idOf(request, 'admin@caravan.example');
    const moved: string[] = [];
    const screens = screensOf(colleagueId);
    for (const { what, path, awaited } of chooseCases(screens, screens.slice(0, 1)))
      await test.step(what, async () => {
        const shifts = await shiftsWhileLoading(browser, { email: 'maya@caravan.example' }, { path, size, awaited });
        if (shifts.sum > mostShift) moved.push(`${what}: ${shifts.sum.toFixed(3)}`, ...shifts.moved);
      });
    expect(moved).toEqual([]);
  });

test('[2.63 D26] every newcomer of the demo is asked for a vote, whichever team they join', async ({ request }) => {
  for (let nth = 0; nth < 2; nth += 1) {
    const { headers } = await join(request);
    const answer = await request.get('/api/me', { headers });
    const { team, hasVotedThisChallenge } = (await answer.json()) as { team: object; hasVotedThisChallenge: boolean };
    expect(hasVotedThisChallenge, JSON.stringify(team)).toBe(false);
  }
});

test('[2.28] on a phone the floating button lies beside the places and covers nothing that scrolls', async ({
  page,
}) => {
  await signIn(page, 'maya@caravan.example');
  for (const width of [320, 360, 390]) {
    await page.setViewportSize({ width, height: 844 });
    await page.goto('/settings');
    const bar = await page.getByRole('navigation', { name: 'Main' }).boundingBox();
    const button = await page.getByRole('button', { name: 'Start the timer' }).boundingBox();
    expect(button?.y).toBeGreaterThanOrEqual(bar?.y ?? Infinity);
    for (const place of await page.getByRole('navigation', { name: 'Main' }).getByRole('link').all()) {
      const box = await place.boundingBox();
      expect((box?.x ?? Infinity) + (box?.width ?? 0)).toBeLessThanOrEqual(button?.x ?? 0);
    }
  }
});

test('[2.68 D54] on a phone the four activities of the timer stand above the fold, while the reminder to confirm one’s address shows', async ({
  page,
  request,
}) => {
  const newcomer = await join(request);
  await page.setViewportSize({ width: 390, height: 844 });
  await signIn(page, newcomer.email);
  await page.goto('/timer');
  const reminder = page.getByRole('region', { name: 'Confirm your email' });
  await expect(reminder).toBeVisible();
  expect((await reminder.boundingBox())?.height).toBeLessThanOrEqual(60);
  const bar = await page.getByRole('navigation', { name: 'Main' }).boundingBox();
  const last = await page.getByRole('button', { name: 'Stretching' }).boundingBox();
  expect((last?.y ?? 0) + (last?.height ?? Infinity)).toBeLessThanOrEqual(bar?.y ?? 0);
});

for (const orientation of [6, 8])
  test(`[2.112 9.26] a portrait photo of a phone (orientation ${orientation}) is previewed upright and whole`, async ({
    page,
  }) => {
    const pixels = { create: { width: 400, height: 300, channels: 3, background: '#2a6' } } as const;
    const buffer = await sharp(pixels).withMetadata({ orientation }).jpeg().toBuffer();
    await signIn(page, 'maya@caravan.example');
    await page.goto('/timer');
    await page.getByRole('button', { name: 'Log manually' }).click();
    await page.getByRole('button', { name: 'Add a photo' }).click();
    const panel = page.getByRole('dialog', { name: 'Add a photo' });
    const chosen = { name: 'portrait.jpg', mimeType: 'image/jpeg', buffer };
    await panel.locator('input[name="files[]"]').first().setInputFiles(chosen);
    const preview = panel.locator('.uppy-Dashboard-Item-previewImg');
    await expect(preview).toBeVisible();
    const drawn = await preview.evaluate(async (image: HTMLImageElement) => {
      await image.decode();
      const canvas = new OffscreenCanvas(image.naturalWidth, image.naturalHeight);
      const context = canvas.getContext('2d');
      context?.drawImage(image, 0, 0);
      const corner = context?.getImageData(2, 2, 1, 1).data ?? [];
      return { ratio: image.naturalWidth / image.naturalHeight, green: corner[1] ?? 0 };
    });
    expect(drawn.ratio).toBeCloseTo(3 / 4, 1);
    // No bar: the photo reaches into the corner.
    expect(drawn.green).toBeGreaterThan(120);
  });

test('[D34] the app can be added to a Home Screen, with a name, a start and icons of the sizes it names', async ({
  page,
  request,
}) => {
  await page.goto('/login');
  const address = (await page.locator('link[rel="manifest"]').getAttribute('href')) ?? '';
  const answer = await request.get(address);
  expect(answer.headers()['content-type']).toContain('manifest+json');
  const { name, display, icons, ...manifest } = (await answer.json()) as {
    name: string;
    display: string;
    start_url: string;
    icons: { src: string; sizes: string }[];
  };
  expect([name, display, manifest.start_url]).toEqual(['Caravan', 'standalone', '/dashboard']);
  const touchIcon = (await page.locator('link[rel="apple-touch-icon"]').getAttribute('href')) ?? '';
  for (const { src, sizes: named } of icons.concat({ src: touchIcon, sizes: '180x180' })) {
    const { width, height, format } = await sharp(await (await request.get(src)).body()).metadata();
    expect([`${width}x${height}`, format]).toEqual([named, 'png']);
  }
});
