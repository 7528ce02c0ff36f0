import { type PhotoViewer, verifyPhotoUrl } from '../storage/photo-address.ts';
import { testPhotoKey } from './service.ts';

/** Which photo an address of a service under test shows, in which size and to whom; undefined for what it has not signed. */
export function signedPhoto(
  address: string | null | undefined,
): ({ readonly objectPath: string; readonly size: number } & PhotoViewer) | undefined {
  const { pathname, searchParams } = new URL(address ?? '', 'http://here');
  const [, objectPath = '', photoId = '', size = ''] =
    /^(\/objects\/photos\/([^/]+))\/(\d+)\.webp$/.exec(pathname) ?? [];
  const [viewer, expires, signature] = ['viewer', 'expires', 'signature'].map((name) => searchParams.get(name) ?? '');
  const verified = verifyPhotoUrl(testPhotoKey, { photoId, size, viewer, expires, signature }, new Date());
  if (verified.state !== 'valid') return undefined;
  const { orgId, userId } = verified;
  return { objectPath, size: verified.size, orgId, ...(userId !== undefined && { userId }) };
}

/** Those of a `srcset`, with their widths. */
export const signedPhotos = (srcSet: string | undefined) =>
  (srcSet ?? '').split(', ').map((one) => {
    const [address, width] = one.split(' ');
    return { ...signedPhoto(address), width };
  });
