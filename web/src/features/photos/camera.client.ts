/**
 * Resolves once the camera shows a picture. Uppy's snapshot does not wait for it: before the first frame it saves a file
 * that holds no image.
 */
export async function waitForFrame(video: HTMLVideoElement | null): Promise<void> {
  if (!video || video.readyState >= HTMLMediaElement.HAVE_CURRENT_DATA) return;
  await new Promise((resolve) => {
    video.addEventListener('loadeddata', resolve, { once: true });
  });
}
