// Uppy's own storage client, bundled and run in a page of the tests.
import AwsS3 from '@uppy/aws-s3';
import Uppy, { type Body, type Meta } from '@uppy/core';

export type Sending = { readonly token: string; readonly partedFrom: number; readonly isPaused?: boolean };
export type Sent = { readonly photoURL: string; readonly bytes: number; readonly states: readonly string[] };

/** Noise, which no format makes smaller. */
async function drawFile(width: number, height: number): Promise<File> {
  const canvas = new OffscreenCanvas(width, height);
  const image = new ImageData(width, height);
  for (let at = 0; at < image.data.length; at += 65_536)
    crypto.getRandomValues(image.data.subarray(at, at + 65_536) as unknown as Uint8Array<ArrayBuffer>);
  for (let at = 3; at < image.data.length; at += 4) image.data[at] = 255;
  canvas.getContext('2d')?.putImageData(image, 0, 0);
  return new File([await canvas.convertToBlob({ type: 'image/png' })], 'noise.png', { type: 'image/png' });
}

/** Sends a picture of more than 5 MB. Paused, it waits after its first part and goes on. */
export async function send({ token, partedFrom, isPaused = false }: Sending): Promise<Sent> {
  const states: string[] = [];
  const uppy = new Uppy<Meta, Body>({ allowMultipleUploadBatches: false });
  uppy.use(AwsS3<Meta, Body>, {
    endpoint: `${location.origin}/companion`,
    headers: { authorization: `Bearer ${token}` },
    limit: isPaused ? 1 : 6,
    shouldUseMultipart: ({ size }) => (size ?? 0) > partedFrom,
  });
  uppy.on('s3-multipart:part-uploaded', (_file, { PartNumber }) => {
    states.push(`part ${PartNumber}`);
    if (!isPaused || states.includes('paused')) return;
    uppy.pauseAll();
    states.push('paused');
    queueMicrotask(() => {
      states.push('resumed');
      uppy.resumeAll();
    });
  });
  const data = await drawFile(1_600, 1_300);
  uppy.addFile({ name: data.name, type: data.type, data });
  const result = await uppy.upload();
  const [file] = result?.successful ?? [];
  if (!file) throw new Error(`not sent: ${result?.failed?.[0]?.error ?? 'no file'}`);
  return { photoURL: file.uploadURL ?? '', bytes: data.size, states };
}
