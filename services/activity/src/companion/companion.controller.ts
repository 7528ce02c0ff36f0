import { CurrentCaller } from '@caravan/auth/caller.decorator';
import type { Caller } from '@caravan/auth/claims';
import * as contract from '@caravan/contracts/http/companion';
import { allowWrites } from '@caravan/event-store/postgres/reading';
import { Env } from '@caravan/service-kit/process/env';
import { ValidBody, ValidParams, ValidQuery } from '@caravan/service-kit/http/valid.decorator';
import { Controller, Delete, Get, HttpCode, Inject, Post } from '@nestjs/common';
import { z } from 'zod';
import { uploadSeconds, Uploads } from '../photos/index.ts';
import { PartedUploads } from './parted-uploads.service.ts';

const uploadParams = z.object({ uploadId: z.string().regex(/^[\x21-\x7e]{1,1024}$/) });
type UploadParams = z.infer<typeof uploadParams>;
const partParams = uploadParams.extend({ partNumber: z.string() });

/** The calls of the upload panel (ADR 0059). */
@Controller('companion/s3')
export class CompanionController {
  constructor(
    @Inject(Uploads) private readonly uploads: Uploads,
    @Inject(PartedUploads) private readonly parted: PartedUploads,
    @Inject(Env) private readonly env: Env,
  ) {}

  /** The panel's word for it is GET, though an upload begins. */
  @Get('params')
  async parameters(
    @CurrentCaller() caller: Caller,
    @ValidQuery(contract.uploadParametersQuerySchema) query: contract.UploadParametersQuery,
  ): Promise<contract.UploadParameters> {
    const url = await allowWrites(() => this.uploads.start(caller, { type: query.type }));
    return { method: 'PUT', url, fields: {}, expires: uploadSeconds };
  }

  @Post('multipart')
  @HttpCode(200)
  begin(
    @CurrentCaller() caller: Caller,
    @ValidBody(contract.partedUploadRequestSchema) body: contract.PartedUploadRequest,
  ): Promise<contract.PartedUpload> {
    return this.parted.begin(caller, body);
  }

  @Get('multipart/:uploadId')
  list(
    @CurrentCaller() caller: Caller,
    @ValidParams(uploadParams) { uploadId }: UploadParams,
    @ValidQuery(contract.ofKeySchema) { key }: contract.OfKey,
  ): Promise<contract.ArrivedParts> {
    return this.parted.list(caller, { uploadId, key });
  }

  @Get('multipart/:uploadId/batch')
  signAll(
    @CurrentCaller() caller: Caller,
    @ValidParams(uploadParams) { uploadId }: UploadParams,
    @ValidQuery(contract.partsOfKeySchema) query: contract.PartsOfKey,
  ): Promise<contract.SignedParts> {
    return this.parted.signAll(caller, { uploadId, ...query });
  }

  @Get('multipart/:uploadId/:partNumber')
  sign(
    @CurrentCaller() caller: Caller,
    @ValidParams(partParams) { uploadId, partNumber }: z.infer<typeof partParams>,
    @ValidQuery(contract.ofKeySchema) { key }: contract.OfKey,
  ): Promise<contract.SignedPart> {
    return this.parted.sign(caller, { uploadId, key }, partNumber);
  }

  @Post('multipart/:uploadId/complete')
  @HttpCode(200)
  async complete(
    @CurrentCaller() caller: Caller,
    @ValidParams(uploadParams) { uploadId }: UploadParams,
    @ValidQuery(contract.ofKeySchema) { key }: contract.OfKey,
    @ValidBody(contract.completeRequestSchema) body: contract.CompleteRequest,
  ): Promise<contract.CompletedUpload> {
    return { ...(await this.parted.complete(caller, { uploadId, key }, body)), bucket: this.env.S3_BUCKET };
  }

  @Delete('multipart/:uploadId')
  async abort(
    @CurrentCaller() caller: Caller,
    @ValidParams(uploadParams) { uploadId }: UploadParams,
    @ValidQuery(contract.ofKeySchema) { key }: contract.OfKey,
  ): Promise<Record<string, never>> {
    await this.parted.abort(caller, { uploadId, key });
    return {};
  }
}
