import type { Caller } from '@caravan/auth/claims';
import { avatarChoicePath, photoWords, type ProfilePhotoAnswer } from '@caravan/contracts/http/photos';
import { EventStore } from '@caravan/event-store/core/event-store';
import { Rejected } from '@caravan/kernel/rejected';
import { Env } from '@caravan/service-kit/process/env';
import { Live } from '@caravan/service-kit/live/live';
import { PhotoAddresses, photoIdOf } from '@caravan/service-kit/storage/photo-address';
import { ServiceCredential } from '@caravan/service-kit/http/service-credential';
import { Inject, Injectable } from '@nestjs/common';
import type { IdentityEnv } from '../env.ts';
import { showPhoto } from '../membership/index.ts';
import { inOrganisationOrder } from '../organisations/index.ts';
import { ownFace } from '../sessions/index.ts';

const timeoutMilliseconds = 5_000;

/** Which photo a member shows as their picture. Photos are activity's: it says whose they are, and keeps this one. */
@Injectable()
export class OwnPhotos {
  constructor(
    @Inject(Env) private readonly env: IdentityEnv,
    @Inject(EventStore) private readonly store: EventStore,
    @Inject(Live) private readonly live: Live,
    @Inject(PhotoAddresses) private readonly addresses: PhotoAddresses,
  ) {}

  /** Throws `Rejected`: not-found for what is no photo of one's own, conflict for one that a log has. */
  async show(caller: Caller, objectPath: string): Promise<ProfilePhotoAnswer> {
    if (photoIdOf(objectPath) === null) throw noSuchPhoto();
    await this.askActivity(caller, objectPath);
    return this.keep(caller, objectPath);
  }

  remove(caller: Caller): Promise<ProfilePhotoAnswer> {
    return this.keep(caller, null);
  }

  private async keep(caller: Caller, objectPath: string | null): Promise<ProfilePhotoAnswer> {
    const { orgId, userId, meta } = caller;
    const isNew = await this.store.transaction(inOrganisationOrder(meta), async (unit) => {
      // Before the person's row, as everybody takes them: nobody waits for each other in a circle.
      await unit.tx.query('select es.lock_keys(array[$1])', [orgId]);
      return showPhoto(unit, userId, objectPath);
    });
    if (isNew) {
      this.live.publish(orgId, ['me'], { to: userId });
      this.live.publish(orgId, ['people']);
    }
    return { profilePhotoUrl: ownFace(this.addresses, objectPath, caller) };
  }

  private async askActivity({ orgId, userId }: Caller, objectPath: string): Promise<void> {
    const credential = new ServiceCredential(this.env.SERVICE_CREDENTIAL);
    const response = await fetch(`${this.env.ACTIVITY_URL}${avatarChoicePath}`, {
      method: 'POST',
      headers: { ...credential.headers, 'content-type': 'application/json' },
      body: JSON.stringify({ orgId, userId, objectPath }),
      signal: AbortSignal.timeout(timeoutMilliseconds),
    }).catch(() => undefined);
    if (response?.status === 404) throw noSuchPhoto();
    if (response?.status === 409) throw new Rejected('photo/used', 'conflict', photoWords.used);
    if (!response?.ok) throw unavailable();
  }
}

const noSuchPhoto = () => new Rejected('photo/not-found', 'not-found', photoWords.noPhoto);

const unavailable = () =>
  new Rejected('storage/unavailable', 'unavailable', 'Photos cannot be changed right now. Please try again.', {
    retryAfterSeconds: 2,
  });
