import { registeredPhotoSchema, startedUploadSchema } from '@caravan/contracts/http/photos';
import sharp from 'sharp';
import { bearer, type Joined, personOf, send } from './client.ts';
import type { DemoMovement } from './history.ts';
import { demoPortraits } from './people.ts';
import { type Picture, pictureOf, portraitOf } from './pictures.ts';

const mostPhotos = 10;
const mostOfPerson = 2;

/** Of the newest that say something, few of each person. */
export function movementsWithPhotos(movements: readonly DemoMovement[]): ReadonlySet<DemoMovement> {
  const chosen = new Set<DemoMovement>();
  const perPerson = new Map<number, number>();
  for (const movement of movements.toReversed()) {
    const already = perPerson.get(movement.person) ?? 0;
    if (movement.photoPrompt === undefined || already === mostOfPerson) continue;
    perPerson.set(movement.person, already + 1);
    chosen.add(movement);
    if (chosen.size === mostPhotos) break;
  }
  return chosen;
}

/** What was seen on the way; answers the path to log it with. */
export function uploadPhoto(url: string, who: Joined, { photoPrompt = '', startedAt }: DemoMovement): Promise<string> {
  return upload(url, who, pictureOf(photoPrompt, startedAt.getTime()));
}

export async function showFaces(url: string, joined: readonly Joined[]): Promise<void> {
  const shown = demoPortraits.map(async ([name, seed]) => {
    const who = personOf(joined, name);
    const objectPath = await upload(url, who, { svg: portraitOf(seed), alt: name });
    await send('PUT', `${url}/api/me/photo`, { objectPath }, bearer(who));
  });
  await Promise.all(shown);
}

/** As the web app does: asks where to, sends the file, has it registered. */
async function upload(url: string, who: Joined, { svg, alt }: Picture): Promise<string> {
  const started = await send('POST', `${url}/api/objects/upload`, {}, bearer(who));
  const { uploadURL } = startedUploadSchema.parse(started);
  const file = await sharp(Buffer.from(svg)).jpeg({ quality: 82 }).toBuffer();
  const sent = await fetch(uploadURL, {
    method: 'PUT',
    headers: { 'content-type': 'image/jpeg' },
    body: new Uint8Array(file),
  });
  if (!sent.ok)
    throw new Error(`The demo could not be filled: a photo was answered ${sent.status} ${await sent.text()}`);
  const registered = await send('PUT', `${url}/api/workout-photos`, { photoURL: uploadURL, alt }, bearer(who));
  return registeredPhotoSchema.parse(registered).objectPath;
}
