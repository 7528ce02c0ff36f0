import { vi } from 'vitest';

/** What jsdom cannot: decodes pictures and draws them, or fails to. What was drawn stands in the list it returns. */
export function drawPictures(isReadable = true): { wide: number; type: string | undefined }[] {
  const drawn: { wide: number; type: string | undefined }[] = [];
  class Picture extends EventTarget {
    readonly width = 1600;
    readonly height = 1200;

    set src(_address: string) {
      queueMicrotask(() => this.dispatchEvent(new Event('load')));
    }
  }
  vi.stubGlobal('Image', Picture);
  let addresses = 0;
  Object.assign(URL, {
    createObjectURL: () => `blob:${(addresses += 1)}`,
    revokeObjectURL: () => undefined,
  });
  const nothing = () => undefined;
  Object.assign(HTMLCanvasElement.prototype, {
    getContext: () => ({ translate: nothing, rotate: nothing, scale: nothing, drawImage: nothing }),
    toBlob(this: HTMLCanvasElement, done: (blob: Blob | null) => void, type?: string) {
      drawn.push({ wide: this.width, type });
      done(isReadable ? new Blob(['pixels'], { type: type ?? '' }) : null);
    },
  });
  return drawn;
}
