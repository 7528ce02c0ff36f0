import type { Plugin } from 'vite';

const reader = 'exifr/dist/mini.esm.mjs';
const standIn = '\0caravan:upright';

/** Browsers draw a photo upright themselves. Uppy would read how it was held and turn and cut the drawn one once more. */
export function uprightPhotos(): Plugin {
  return {
    name: 'caravan:upright-photos',
    enforce: 'pre',
    resolveId: (id) => (id === reader ? standIn : undefined),
    load: (id) => (id === standIn ? 'export const rotation = () => Promise.resolve({ deg: 0 });' : undefined),
  };
}
