import { logoNotReadable, logoNotVector } from '@caravan/contracts/http/organisations';
import { ImageRefused, ImageWorker } from '@caravan/service-kit/media/image-worker';
import { imageLimits, type ImageRefusal } from '@caravan/service-kit/media/images';
import { Invalid } from '@caravan/kernel/problem';
import { Inject, Injectable } from '@nestjs/common';

/** The branding travels with every start of the web app: 64 kB as a data URL. */
const rendition = { edgePixels: 256, format: 'webp', mostBytes: 48 * 1024 } as const;

const words: Record<ImageRefusal, string> = {
  empty: logoNotReadable,
  unreadable: logoNotReadable,
  vector: logoNotVector,
  heic: logoNotReadable,
  'too-many-bytes': 'The logo must be smaller than 700 kB',
  'too-many-pixels': 'The logo must have at most 48 million pixels',
  'too-many-frames': `The logo must have at most ${imageLimits.mostFrames} frames`,
  'too-expensive': 'The logo takes too long to read; please save it anew, or smaller',
};

@Injectable()
export class Logos {
  constructor(@Inject(ImageWorker) private readonly images: ImageWorker) {}

  /**
   * WebP of at most 256 × 256 pixels, nothing else of the file. Throws `Invalid`, or `Rejected` (503) when many are
   * read.
   */
  async logoOf(dataUrl: string): Promise<string> {
    const file = Buffer.from(dataUrl.slice(dataUrl.indexOf(',') + 1), 'base64');
    try {
      const [picture] = await this.images.render(file, [rendition]);
      return `data:image/webp;base64,${Buffer.from(picture?.bytes ?? []).toString('base64')}`;
    } catch (error) {
      if (!(error instanceof ImageRefused)) throw error;
      throw new Invalid([{ path: 'logoUrl', message: words[error.refusal] }], `company/logo-${error.refusal}`);
    }
  }
}
