import type { Caller } from '@caravan/auth/claims';
import * as contract from '@caravan/contracts/http/companion';
import type { Tx } from '@caravan/event-store/core/event-store';
import { withTenant } from '@caravan/event-store/postgres/connections';
import { Rejected } from '@caravan/kernel/rejected';
import { Companion, type CompanionRequest } from './companion.client.ts';
import { ObjectStorage } from '@caravan/service-kit/storage/objects';
import { Pool } from '@caravan/service-kit/storage/pool';
import { Inject, Injectable } from '@nestjs/common';
import type { z } from 'zod';
import { type Begun, Uploads, uploadKey } from '../photos/index.ts';
import { bindUpload, discardUpload, isBound, type PartedUploadRef } from './parted-uploads.store.ts';
import { answerOf, callOf, ifGone, isTooMuch, noUpload, partNumberOf, tooLarge, uploadIdIn } from './storage-call.ts';

/** As the panel names it: the upload by S3's id, the file by its key. */
export type Named = { readonly uploadId: string } & contract.OfKey;

type Own = PartedUploadRef & { readonly key: string };

/** Companion asks nobody who somebody is: whatever reaches it has been found to be the caller's own here (S28). */
@Injectable()
export class PartedUploads {
  constructor(
    @Inject(Companion) private readonly companion: Companion,
    @Inject(Uploads) private readonly uploads: Uploads,
    @Inject(ObjectStorage) private readonly objects: ObjectStorage,
    @Inject(Pool) private readonly pool: Pool,
  ) {}

  begin(caller: Caller, { type, size }: contract.PartedUploadRequest): Promise<contract.PartedUpload> {
    return this.uploads.beginning(caller, size, (begun) => this.divide(caller, begun, type));
  }

  private async divide(
    { orgId, userId }: Caller,
    { uploadId, key }: Begun,
    type: string | undefined,
  ): Promise<contract.PartedUpload> {
    const body = { filename: 'photo', type: type || 'application/octet-stream' };
    const begun = await this.ask(contract.partedUploadSchema, { method: 'POST', path: 'multipart', body, key });
    const upload = { orgId, userId, uploadId, multipartId: begun.uploadId, key };
    if (await this.inOrganisation(upload, (tx) => bindUpload(tx, upload))) return begun;
    await this.objects.abort(key, begun.uploadId);
    throw noUpload();
  }

  async list(caller: Caller, named: Named): Promise<contract.ArrivedParts> {
    return this.partsOf(await this.own(caller, named, contract.companionWords.noKey));
  }

  async sign(caller: Caller, named: Named, partNumber: string): Promise<contract.SignedPart> {
    const upload = await this.own(caller, named, contract.companionWords.cannotSign);
    const path = callOf(upload, `/${partNumberOf(partNumber)}`);
    const { url, expires } = await this.ask(contract.signedPartSchema, { method: 'GET', path });
    return { url: this.companion.publicAddress(url), expires };
  }

  async signAll(caller: Caller, { partNumbers, ...named }: Named & contract.PartsOfKey): Promise<contract.SignedParts> {
    const upload = await this.own(caller, named, contract.companionWords.cannotSign);
    const numbers = (partNumbers ?? '').split(',').map(partNumberOf);
    const path = `${callOf(upload, '/batch')}&partNumbers=${[...new Set(numbers)].join(',')}`;
    const { presignedUrls } = await this.ask(contract.signedPartsSchema, { method: 'GET', path });
    const addresses = new Map<string, string>();
    for (const nth in presignedUrls) addresses.set(nth, this.companion.publicAddress(presignedUrls[nth] ?? ''));
    return { presignedUrls: Object.fromEntries(addresses) };
  }

  /** Again it gives the same answer. */
  async complete(
    caller: Caller,
    named: Named,
    { parts }: contract.CompleteRequest,
  ): Promise<Omit<contract.CompletedUpload, 'bucket'>> {
    const upload = await this.own(caller, named, contract.companionWords.noKey);
    const { key } = upload;
    const arrived = await this.partsOf(upload).catch(ifGone([]));
    if (isTooMuch(arrived)) {
      await this.giveUp(upload, caller.at);
      throw tooLarge();
    }
    if (arrived.length === 0) {
      if (!(await this.objects.stat(key))) throw noUpload();
    } else {
      const request = { method: 'POST', path: callOf(upload, '/complete'), body: { parts } } as const;
      await this.ask(contract.completedUploadSchema.pick({ key: true }), request);
    }
    return { location: await this.addressOf(key), key };
  }

  async abort(caller: Caller, named: Named): Promise<void> {
    await this.giveUp(await this.own(caller, named, contract.companionWords.noKey), caller.at);
  }

  private async giveUp(upload: Own, at: Date): Promise<void> {
    await this.ask(contract.abortedUploadSchema, { method: 'DELETE', path: callOf(upload) }).catch(ifGone({}));
    await this.inOrganisation(upload, (tx) => discardUpload(tx, upload, at));
  }

  /** Throws `Rejected`: malformed without a key, and not-found for what is not the caller's. */
  private async own({ orgId, userId }: Caller, { key, uploadId: multipartId }: Named, noKey: string): Promise<Own> {
    if (key === undefined || key === '') throw new Rejected('companion/no-key', 'malformed', noKey);
    const uploadId = uploadIdIn(key);
    const upload = { orgId, userId, uploadId: uploadId ?? '', multipartId, key };
    const isOwn = uploadId !== undefined && key === uploadKey(upload);
    if (!isOwn || !(await this.inOrganisation(upload, (tx) => isBound(tx, upload)))) throw noUpload();
    return upload;
  }

  private partsOf(upload: Own): Promise<contract.ArrivedParts> {
    return this.ask(contract.arrivedPartsSchema, { method: 'GET', path: callOf(upload) });
  }

  private async ask<Schema extends z.ZodType>(schema: Schema, request: CompanionRequest): Promise<z.infer<Schema>> {
    return answerOf(schema, await this.companion.ask(request));
  }

  private async addressOf(key: string): Promise<string> {
    const { origin, pathname } = new URL(await this.objects.presignUpload(key, { expiresInSeconds: 1 }));
    return `${origin}${pathname}`;
  }

  private inOrganisation<Result>({ orgId }: Own, work: (tx: Tx) => Promise<Result>): Promise<Result> {
    return withTenant(this.pool, orgId, work);
  }
}
