import { expect, test } from 'vitest';
import { waitForFrame } from './camera.client.ts';

function videoWith(readyState: number): HTMLVideoElement {
  return Object.defineProperty(document.createElement('video'), 'readyState', { value: readyState });
}

test('[2.112] a picture is taken only once the camera has sent its first frame', async () => {
  const video = videoWith(HTMLMediaElement.HAVE_METADATA);
  const order: string[] = [];
  const taken = waitForFrame(video).then(() => order.push('picture'));
  await Promise.resolve();
  order.push('first frame');
  video.dispatchEvent(new Event('loadeddata'));
  await taken;
  expect(order).toEqual(['first frame', 'picture']);
});

test('[2.112] a camera that already shows a picture does not delay the next one', async () => {
  await expect(waitForFrame(videoWith(HTMLMediaElement.HAVE_ENOUGH_DATA))).resolves.toBeUndefined();
});
