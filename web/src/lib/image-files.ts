import { sessionFetch } from './http.ts';

/** What a data URL may hold at most, so that it fits into the request (D38); larger images are drawn smaller. */
const mostBytes = 700_000;
const mostCharacters = 950_000;
const sides = [1024, 768, 512, 384, 256] as const;

/** Image types that the server decodes (ADR 0056); the browser converts others that it can show. */
export const imageTypes = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'];

/** Vector graphics, which the server never renders. */
export const isVector = ({ type, name }: File): boolean => type.startsWith('image/svg') || /\.svgz?$/i.test(name);

/** The image of a file as a data URL, at its own size where that is small enough. Rejects what is not an image. */
export async function imageDataUrl(file: File): Promise<string> {
  if (!file.type.startsWith('image/') || isVector(file)) throw new TypeError(`${file.type || 'This'} is not an image`);
  const address = URL.createObjectURL(file);
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    if (file.size <= mostBytes && imageTypes.includes(file.type)) return await dataUrlOf(file);
    return drawnSmaller(image);
  } finally {
    URL.revokeObjectURL(address);
  }
}

function dataUrlOf(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(typeof reader.result === 'string' ? reader.result : '');
    reader.onerror = () => reject(new Error('The file could not be read'));
    reader.readAsDataURL(file);
  });
}

function drawnSmaller(image: HTMLImageElement): string {
  const canvas = document.createElement('canvas');
  for (const side of sides) {
    const scale = Math.min(1, side / Math.max(image.naturalWidth, image.naturalHeight));
    canvas.width = Math.max(1, Math.round(image.naturalWidth * scale));
    canvas.height = Math.max(1, Math.round(image.naturalHeight * scale));
    canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
    // Browsers that cannot write WebP write PNG; both keep what is transparent.
    const url = canvas.toDataURL('image/webp', 0.85);
    if (url.length <= mostCharacters) return url;
  }
  throw new Error('The image stays too large');
}

/** Fetches a file with the session's token and hands it to the browser as a download. @param path with its query */
export async function download(path: string, type: string, name: string): Promise<void> {
  const address = new URL(path, location.origin);
  const answer = await sessionFetch(new Request(address, { headers: { accept: type }, cache: 'no-store' }));
  saveFile(await answer.blob(), name);
}

/** Hands what the page has made to the browser as a download. */
export function saveFile(file: Blob, name: string): void {
  const href = URL.createObjectURL(file);
  const link = Object.assign(document.createElement('a'), { href, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  URL.revokeObjectURL(href);
}
