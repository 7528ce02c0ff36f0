import { registeredPhotoSchema, startedUploadSchema } from '@caravan/contracts/http/photos';
import { longOr } from '../../form.ts';
import { noisyPhoto } from '../../goals/photos.ts';
import type { Finding } from '../../harness.ts';
import { runningProduct } from '../../product.ts';
import { colleagues, oneOf } from '../people.ts';
import { play } from '../scenario.ts';
import type { Visitors } from '../visitors.ts';

/** Of twenty-five who log, one has taken a picture. */
const logsPerPhoto = 25;

/** Lunch hour: people log what they did, some with a photo, and look at the dashboard. */
export async function lunchHour(): Promise<Finding[]> {
  const product = runningProduct();
  const tokens = await colleagues(product);
  const file = await noisyPhoto([1_200, 900]);
  return play(product, {
    goal: 'LOAD-LUNCH',
    told: `people log at lunch, one of ${logsPerPhoto} with a photo, and look at the dashboard`,
    visitsPerSecond: longOr(25, 10),
    atMostMilliseconds: 500,
    climbs: true,
    visit: async (visitors, nth) => {
      const token = oneOf(tokens, nth);
      const photoPath = nth % logsPerPhoto === 0 ? await photoOf(visitors, token, file) : undefined;
      const body = { activityType: 'Walking', durationMinutes: 30, ...(photoPath !== undefined && { photoPath }) };
      await visitors.ask({ act: 'log', method: 'POST', path: '/api/log', token, body });
      await visitors.ask({ act: 'dashboard', path: '/api/dashboard/stats', token });
    },
  });
}

async function photoOf(visitors: Visitors, token: string, file: Buffer): Promise<string> {
  const start = { act: 'begin upload', method: 'POST', path: '/api/objects/upload', token, body: {} } as const;
  const { uploadURL } = startedUploadSchema.parse(await visitors.ask(start));
  const { pathname, search } = new URL(uploadURL);
  await visitors.ask({ act: 'upload', method: 'PUT', path: pathname + search, token: '', body: file });
  const register = { act: 'register photo', method: 'PUT', path: '/api/workout-photos', token } as const;
  const { objectPath } = registeredPhotoSchema.parse(
    await visitors.ask({ ...register, body: { photoURL: uploadURL } }),
  );
  return objectPath;
}
