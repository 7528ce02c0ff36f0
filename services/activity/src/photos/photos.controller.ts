import { Public } from '@caravan/auth/access.decorator';
import { CurrentCaller } from '@caravan/auth/caller.decorator';
import type { Caller } from '@caravan/auth/claims';
import * as contract from '@caravan/contracts/http/photos';
import { withTenant } from '@caravan/event-store/postgres/connections';
import { type AskedPhoto, PhotoAddresses } from '@caravan/service-kit/storage/photo-address';
import { Pool } from '@caravan/service-kit/storage/pool';
import { ValidBody, ValidOptionalBody, ValidParams, ValidQuery } from '@caravan/service-kit/http/valid.decorator';
import { Controller, Get, HttpCode, Inject, Post, Put, Res, StreamableFile } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { choosePhoto } from './photos.store.ts';
import { Registration } from './registration.service.ts';
import { ServedPhotos } from './served-photos.service.ts';
import { Uploads } from './uploads.service.ts';

@Controller('api')
export class PhotosController {
  constructor(
    @Inject(Uploads) private readonly uploads: Uploads,
    @Inject(Registration) private readonly registration: Registration,
    @Inject(PhotoAddresses) private readonly addresses: PhotoAddresses,
  ) {}

  @Post('objects/upload')
  @HttpCode(200)
  async start(
    @CurrentCaller() caller: Caller,
    @ValidOptionalBody(contract.startUploadRequestSchema) body: contract.StartUploadRequest,
  ): Promise<contract.StartedUpload> {
    return { uploadURL: await this.uploads.start(caller, body) };
  }

  @Put('workout-photos')
  async register(
    @CurrentCaller() caller: Caller,
    @ValidBody(contract.registerPhotoRequestSchema) body: contract.RegisterPhotoRequest,
  ): Promise<contract.RegisteredPhoto> {
    const { alt: _, ...photo } = await this.registration.register(caller, body);
    return { ...photo, previewUrl: this.addresses.url(photo.objectPath, caller, caller.at) ?? '' };
  }
}

const servedParams = z.object({ photoId: z.uuid(), size: z.string() });
type ServedParams = z.infer<typeof servedParams>;

@Public()
@Controller()
export class PublicPhotosController {
  constructor(
    @Inject(ServedPhotos) private readonly served: ServedPhotos,
    @Inject(Pool) private readonly pool: Pool,
  ) {}

  /** For `<img>`, which sends no bearer: the address is the permission. */
  @Get('objects/photos/:photoId/:size.webp')
  async read(
    @ValidParams(servedParams) { photoId, size }: ServedParams,
    @ValidQuery(contract.photoQuerySchema) query: Omit<AskedPhoto, 'photoId' | 'size'>,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<StreamableFile> {
    const { picture, seconds } = await this.served.open({ ...query, photoId, size }, new Date());
    reply.header('cache-control', `private, max-age=${seconds}, immutable`);
    reply.header('cross-origin-resource-policy', 'same-origin');
    return new StreamableFile(picture, { type: 'image/webp', disposition: 'inline' });
  }

  /** By the service credential, and the gateway leads to none. */
  @Post(contract.avatarChoicePath)
  @HttpCode(204)
  async choose(
    @ValidBody(contract.avatarChoiceSchema) body: z.infer<typeof contract.avatarChoiceSchema>,
  ): Promise<void> {
    const { objectPath, ...owner } = body;
    await withTenant(this.pool, owner.orgId, (tx) => choosePhoto(tx, owner, objectPath, new Date()));
  }
}
