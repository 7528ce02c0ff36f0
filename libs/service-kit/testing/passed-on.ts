import { bucketUrlOf, objectsPath, type PublicPlace } from '../storage/storage-address.ts';
import { UploadAddresses } from '../storage/upload-address.ts';

/** The storage's own address, to which the gateway passes an upload on. Throws when the gateway would refuse it. */
export function passedOn(address: string, place: PublicPlace): string {
  const { pathname, search } = new URL(address);
  const target = new UploadAddresses(place.serviceCredential).verify(`${pathname}${search}`);
  if (target === undefined) throw new Error(`the gateway would refuse ${pathname}`);
  return `${bucketUrlOf(place)}${target.slice(objectsPath.length)}`;
}
