import { randomUUID } from '@caravan/contracts/testing/seeded';
import { localDateOf, weekStartOf } from '@caravan/contracts/domain/time/local-days';
import { expect, type Locator, type Page } from '@playwright/test';
import { expectNoViolations } from '../accessible.ts';
import { harbour } from '../api.ts';
import { test } from '../journey.ts';
import { onboard, signIn, signUp, stranger } from '../people.ts';
import { stat } from '../screens.ts';
import { uppyOf } from '../uppy.ts';

async function moveFor30Minutes(page: Page): Promise<void> {
  await page.clock.install();
  await page.getByRole('button', { name: 'Start the timer' }).click();
  await expect(page).toHaveURL(/\/timer/);
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await page.clock.fastForward('30:00');
  await expect(page.getByRole('timer')).toContainText('30:00');
  await expect(page.getByText('3.00')).toBeVisible();
  await page.getByRole('button', { name: 'Stop' }).click();
}

test('[1.2 1.3 1.7 1.15 2.24 2.57 2.58 2.68 2.70 4.12 4.27 4.8 D16 D35] sign up, move for half an hour, log it: miles, rank and feed show it at once', async ({
  page,
  browser,
}) => {
  const person = stranger('Nadia Petrova');
  const caption = `Twice round the lake, ${randomUUID().slice(0, 8)}`;
  await test.step('sign up and get to know the product', async () => {
    await signUp(page, person);
    await onboard(page, /team (Thunder|Blazers)/);
    await expect(page.getByRole('heading', { level: 1 })).toContainText("Let's go, Nadia");
  });

  const colleague = await browser.newContext();
  const board = await colleague.newPage();
  let before = '';
  await test.step('a colleague has the scoreboard open', async () => {
    await signIn(board, 'maya@caravan.example');
    await board.goto('/leaderboard');
    await board.getByRole('tab', { name: 'Teams' }).click();
    await expect(board.getByRole('tabpanel')).toContainText('Thunder');
    before = await board.getByRole('tabpanel').innerText();
  });

  // Weeks of the demo begin in UTC: half an hour that ends soon after is of the last one.
  const mondayAt = (milliseconds: number) => weekStartOf(localDateOf(new Date(milliseconds), 'UTC'));
  const isOfThisWeek = mondayAt(Date.now() - 31 * 60_000) === mondayAt(Date.now());
  await test.step('run the timer and log', async () => {
    await moveFor30Minutes(page);
    await page.getByLabel(/describe/i).fill(caption);
    await page.getByRole('button', { name: 'Log Activity' }).click();
    await expect(page.getByText('Great job! You earned 3.0 miles for your team', { exact: true })).toBeVisible();
  });

  await test.step('the dashboard shows it without a reload', async () => {
    await expect(page).toHaveURL(/\/dashboard$/);
    await expect(stat(page, 'Total miles')).toContainText('3.0');
    await expect(stat(page, 'Rank')).toContainText(/#\d+/);
    await expect(page.getByText(`${isOfThisWeek ? '2.0' : '5.0'} miles to go this week`)).toBeVisible();
    await page.getByRole('link', { name: 'Feed' }).first().click();
    await expect(page.getByText(caption)).toBeVisible();
  });

  await test.step("the colleague's open scoreboard shows it without a reload, too", async () => {
    await expect(board.getByRole('tabpanel')).not.toHaveText(before, { useInnerText: true });
    await board.goto('/feed');
    await expect(board.getByText(caption)).toBeVisible();
  });

  await test.step('a reload keeps it', async () => {
    await page.goto('/dashboard');
    await expect(stat(page, 'Total miles')).toContainText('3.0');
  });

  await test.step('logging out kills the token at the server', async () => {
    const token = await page.evaluate(() => localStorage.getItem('token'));
    await page.goto('/profile');
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    // A request under way when the token ends is refused, and the console says so.
    await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
    await page.getByRole('button', { name: 'Logout' }).click();
    await expect(page).toHaveURL(/\/login$/);
    const answer = await page.request.get('/api/me', { headers: { authorization: `Bearer ${token}` } });
    expect(answer.status()).toBe(401);
  });
  await colleague.close();
});

const panel = (page: Page): Locator => page.getByRole('dialog', { name: /photo$/i });

/** A picture as a camera writes one. */
async function drawnPhoto(page: Page, name: string): Promise<{ name: string; mimeType: string; buffer: Buffer }> {
  const url = await page.evaluate(() => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 1600, height: 1200 });
    const brush = canvas.getContext('2d');
    for (let row = 0; brush && row < 12; row += 1) {
      brush.fillStyle = `hsl(${row * 30} 70% 60%)`;
      brush.fillRect(0, row * 100, 1600, 100);
    }
    return canvas.toDataURL('image/jpeg', 0.9);
  });
  return { name, mimeType: 'image/jpeg', buffer: Buffer.from(url.slice(url.indexOf(',') + 1), 'base64') };
}

const choose = (page: Page, file: { name: string; mimeType: string; buffer: Buffer }) =>
  panel(page).locator('input[name="files[]"]:not([webkitdirectory])').setInputFiles(file);

/** Drawn, and by the server: with an address that it has signed. */
async function expectDrawn(photo: Locator): Promise<void> {
  await expect(photo).toBeVisible();
  await expect(photo).toHaveAttribute('src', /^\/objects\/photos\/.+signature=/);
  await expect.poll(() => photo.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
}

test('[2.70 2.112 3.8 4.40 4.41 5.8 5.10 7.18 7.19 7.36 7.37 8.14 8.15 8.17 9.25 D8] a photo goes up over a bad network, survives a reload, and is logged, seen, replaced and taken away', async ({
  page,
  context,
  request,
  expectRefusal,
}) => {
  const { admin } = await harbour(request);
  await signIn(page, admin.email);
  await moveFor30Minutes(page);
  const photo = page.getByRole('img', { name: 'The lake at noon' });
  const log = page.getByRole('button', { name: 'Log Activity' });

  await test.step('the panel says what it does not take', async () => {
    await expect(log).toBeDisabled();
    await page.getByRole('button', { name: 'Add a photo' }).click();
    await choose(page, { name: 'lake.heic', mimeType: 'image/heic', buffer: Buffer.from('ftypheic') });
    await expect(
      panel(page)
        .getByText(/^HEIC photos cannot be read here/)
        .first(),
    ).toBeVisible();
    await choose(page, { name: 'lake.jpg', mimeType: 'image/jpeg', buffer: Buffer.alloc(10_485_761) });
    await expect(
      panel(page).getByText('lake.jpg exceeds maximum allowed size of 10 MB', { exact: true }).first(),
    ).toBeVisible();
  });

  await test.step('a photo is described', async () => {
    await choose(page, await drawnPhoto(page, 'lake.jpg'));
    await page.getByRole('button', { name: 'Describe lake.jpg' }).click();
    await page.getByLabel('Alt text').fill('The lake at noon');
    await expectNoViolations(page, 'the card of a photo');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await expectNoViolations(page, 'the upload panel');
  });

  await test.step('its address has expired, then the network is lost: it goes up all the same', async () => {
    expectRefusal(403, /^\/objects\/incoming\//);
    expectRefusal(0, /^\/(api|objects)\//);
    const body = '<Error><Code>AccessDenied</Code><Message>Request has expired</Message></Error>';
    const sentTo: string[] = [];
    await page.route(/\/objects\/incoming\//, async (route) => {
      sentTo.push(new URL(route.request().url()).pathname);
      if (sentTo.length === 1) return route.fulfill({ status: 403, contentType: 'application/xml', body });
      if (sentTo.length > 2) return route.continue();
      await context.setOffline(true);
      return route.abort('internetdisconnected');
    });
    await page.getByRole('button', { name: 'Upload 1 file' }).click();
    await expect(panel(page).locator('b', { hasText: 'No Internet connection' })).toBeVisible();
    expect(sentTo).toHaveLength(2);
    await context.setOffline(false);
    await expect(page.getByText('Your workout photo has been uploaded successfully.', { exact: true })).toBeVisible();
    expect(sentTo).toHaveLength(3);
    expect(sentTo[0]).not.toBe(sentTo[1]);
    await page.unroute(/\/objects\/incoming\//);
    await expect(panel(page)).toBeHidden();
    await expect(page.getByRole('button', { name: 'Change photo' })).toBeFocused();
  });

  await test.step('a reload keeps it; it is logged without a word, and seen', async () => {
    await page.reload();
    await expectDrawn(photo);
    await log.click();
    await expect(page.getByText('Great job! You earned 3.0 miles for your team', { exact: true })).toBeVisible();
    await page.goto('/feed');
    await expectDrawn(photo);
  });

  await test.step('the camera takes another one in its place, and that is taken away', async () => {
    await page.goto('/profile');
    await page.getByRole('button', { name: /^Correct Walking/ }).click();
    await page.getByRole('button', { name: 'Change photo' }).click();
    await page.getByRole('tab', { name: 'Camera' }).click();
    await page.getByRole('button', { name: 'Take a picture' }).click();
    await page.getByRole('button', { name: 'Use this picture' }).click();
    await page.getByRole('button', { name: 'Upload 1 file' }).click();
    await expect(panel(page)).toBeHidden();
    await expectDrawn(page.getByRole('img', { name: 'Your photo' }));
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(page.getByText('Log corrected', { exact: true })).toBeVisible();
    await page.getByRole('button', { name: /^Correct Walking/ }).click();
    await page.getByRole('button', { name: 'Remove photo' }).click();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(page.getByRole('dialog')).toBeHidden();
    await page.goto('/feed');
    await expect(page.getByRole('article').first()).toBeVisible();
    await expect(photo).toBeHidden();
  });

  await test.step('another panel’s client sends whole files, files in parts, and goes on after a pause', async () => {
    const send = await uppyOf(page);
    const megabyte = 1_048_576;
    const parts = 'companion/s3/multipart/{uploadId}';
    const whole = await send({ partedFrom: 100 * megabyte });
    expect(whole.bytes).toBeGreaterThan(5 * megabyte);
    expect(whole.asked).toEqual(['GET /companion/s3/params', 'PUT /objects/incoming/{key}']);
    const parted = await send({ partedFrom: 5 * megabyte });
    expect(parted.asked.filter((call) => call.startsWith('PUT'))).toHaveLength(2);
    expect(parted.asked).toContain(`POST /${parts}/complete`);
    const paused = await send({ partedFrom: 5 * megabyte, isPaused: true });
    expect(paused.states).toEqual(['part 1', 'paused', 'resumed', 'part 2']);
    expect(paused.asked).toContain(`GET /${parts}`);
    expect(paused.asked.filter((call) => call === `GET /${parts}/1`)).toHaveLength(1);
  });

  await test.step('a face of one’s own, and none again with one press', async () => {
    await page.goto('/settings');
    await page.getByRole('button', { name: 'Add a profile photo' }).click();
    await choose(page, await drawnPhoto(page, 'maya.jpg'));
    await page.getByRole('button', { name: 'Upload 1 file' }).click();
    const face = page.getByRole('group', { name: 'Profile photo' }).locator('img');
    await expectDrawn(face);
    const before = (await face.getAttribute('src')) ?? '';
    await page.getByRole('button', { name: 'Change profile photo' }).click();
    await panel(page).getByRole('tab', { name: 'Link' }).click();
    await panel(page).getByLabel('Address of a photo').fill(new URL(before, page.url()).href);
    await expectNoViolations(page, 'the link to a photo');
    await panel(page).getByRole('button', { name: 'Import' }).click();
    await page.getByRole('button', { name: 'Upload 1 file' }).click();
    await expect(panel(page)).toBeHidden();
    await expect(face).not.toHaveAttribute('src', before);
    await expectDrawn(face);
    await page.getByRole('button', { name: 'Remove profile photo' }).click();
    await expect(page.getByRole('group', { name: 'Profile photo' }).locator('img')).toHaveCount(0);
  });
});
