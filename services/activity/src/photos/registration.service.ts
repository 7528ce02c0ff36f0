import { randomUUIDv7 } from 'node:crypto';
import type { Caller } from '@caravan/auth/claims';
import { photoWords, type RegisterPhotoRequest } from '@caravan/contracts/http/photos';
import type { Tx } from '@caravan/event-store/core/event-store';
import { withTenant } from '@caravan/event-store/postgres/connections';
import { Rejected } from '@caravan/kernel/rejected';
import { ImageRefused, ImageWorker } from '@caravan/service-kit/media/image-worker';
import type { Picture } from '@caravan/service-kit/media/images';
import { Jobs } from '@caravan/service-kit/jobs/jobs';
import type { KeptPhoto } from '@caravan/service-kit/storage/photo-address';
import { Pool } from '@caravan/service-kit/storage/pool';
import { Invalid } from '@caravan/kernel/problem';
import { Inject, Injectable } from '@nestjs/common';
import {
  isFinal,
  largestSize,
  photoLimits,
  type PhotoRef,
  type Pixels,
  proof,
  readUploadUrl,
  refusalOfSize,
  refusalWords,
  smallerSizesOf,
  uploadKey,
  type UploadRefusal,
} from './photo.ts';
import { makePhotoSizes } from './photo-sizes.job.ts';
import { draftPhoto, photoOfUpload, refuseUpload, registerDraft, uploadOf } from './photos.store.ts';
import { StoredFiles } from './stored-files.client.ts';

type Sent = { readonly uploadId: string; readonly key: string };

/** Makes photos of files that were sent: what can be drawn again is one, and only what was drawn is kept (ADR 0056). */
@Injectable()
export class Registration {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(StoredFiles) private readonly files: StoredFiles,
    @Inject(ImageWorker) private readonly images: ImageWorker,
    @Inject(Jobs) private readonly jobs: Jobs,
  ) {}

  /** The same upload again gives the same photo. Throws `Rejected`: not-found, or invalid for what is no photo. */
  async register(caller: Caller, { photoURL, alt }: RegisterPhotoRequest): Promise<KeptPhoto> {
    const sent = await this.findUpload(caller, photoURL);
    const known = await this.outcome(caller, sent);
    if (known) return known;
    const photo = await this.make(caller, sent, alt || null).catch((error: unknown) =>
      this.giveUp(caller, sent, error),
    );
    // What fails here is left to the clean-up.
    await this.files.remove(sent.key).catch(() => undefined);
    return photo;
  }

  private async findUpload({ orgId, userId }: Caller, photoURL: string): Promise<Sent> {
    const named = readUploadUrl(photoURL);
    if (!named) throw noUpload();
    const { address, uploadId } = named;
    const key = uploadKey({ orgId, userId, uploadId });
    if (!(await this.files.isAddressOf(key, address))) throw noUpload();
    return { uploadId, key };
  }

  /** Of an earlier request; undefined when there was none. */
  private async outcome({ orgId, userId }: Caller, { uploadId }: Sent): Promise<KeptPhoto | undefined> {
    const owner = { orgId, userId };
    return withTenant(this.pool, orgId, async (tx) => {
      const upload = await uploadOf(tx, owner, uploadId);
      if (upload?.refusal) throw new RefusedPhoto(upload.refusal);
      const photo = upload?.photoId ? await photoOfUpload(tx, owner, uploadId) : undefined;
      if (!upload || (upload.photoId && !photo)) throw noUpload();
      return photo;
    });
  }

  private async make(caller: Caller, { uploadId, key }: Sent, alt: string | null): Promise<KeptPhoto> {
    const { orgId, userId, at } = caller;
    const owner = { orgId, userId };
    const inOrganisation = <Result>(work: (tx: Tx) => Promise<Result>) => withTenant(this.pool, orgId, work);
    const upload = await inOrganisation((tx) => uploadOf(tx, owner, uploadId));
    const refusal = refusalOfSize(await this.files.sizeOf(key), upload?.sizeBytes ?? null);
    if (refusal) throw new RefusedPhoto(refusal);
    const [largest, hash, ...smaller] = await this.images.render(() => this.files.read(key), proof, photoLimits);
    if (!largest || !hash) throw new Error('As many pictures are drawn as are asked for');
    const photoId = randomUUIDv7();
    const { width, height } = largest;
    const thumbHash = Buffer.from(hash.bytes).toString('base64');
    const ref = { orgId, photoId };
    await inOrganisation((tx) => draftPhoto(tx, owner, { photoId, width, height, thumbHash, alt }, at));
    await this.files.keep(ref, largestSize, largest);
    const isSized = await this.keepSizes(ref, largest, smaller);
    const photo = await inOrganisation((tx) => registerDraft(tx, owner, { uploadId, photoId, isSized, at }));
    if (!photo) throw noUpload();
    if (!isSized) await this.jobs.enqueueOrKeep(makePhotoSizes, ref, { key: photoId });
    return photo;
  }

  /** A photo counts without its smaller sizes: those that cannot be kept are left to the job. */
  private keepSizes(photo: PhotoRef, largest: Pixels, smaller: readonly Picture[]): Promise<boolean> {
    const kept = smallerSizesOf(largest).map((size, nth) => {
      const picture = smaller[nth];
      if (!picture) throw new Error('As many pictures are drawn as are asked for');
      return this.files.keep(photo, size, picture);
    });
    return Promise.all(kept).then(
      () => true,
      () => false,
    );
  }

  /** A file that is no photo is gone at once, and who asks again is told the same; another request may have been first. */
  private async giveUp(caller: Caller, sent: Sent, error: unknown): Promise<KeptPhoto> {
    const photo = await this.outcome(caller, sent);
    if (photo) return photo;
    const refusal = error instanceof ImageRefused ? new RefusedPhoto(error.refusal) : error;
    if (refusal instanceof RefusedPhoto && isFinal(refusal.refusal)) {
      await withTenant(this.pool, caller.orgId, (tx) => refuseUpload(tx, caller, sent.uploadId, refusal.refusal));
      await this.files.remove(sent.key).catch(() => undefined);
    }
    throw refusal;
  }
}

class RefusedPhoto extends Invalid {
  constructor(readonly refusal: UploadRefusal) {
    super([{ path: 'photoURL', message: refusalWords[refusal] }], `photo/${refusal}`);
  }
}

const noUpload = () => new Rejected('upload/not-found', 'not-found', photoWords.noUpload);
