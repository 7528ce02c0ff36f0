import type { PhotoSources } from '@caravan/contracts/http/companion';
import type { ProfilePhotoAnswer, RegisteredPhoto } from '@caravan/contracts/http/photos';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import {
  readPhotoSources,
  registerPhoto,
  removeProfilePhoto,
  setProfilePhoto,
  startUpload as askToUpload,
} from '../../lib/api/generated/sdk.gen.ts';
import { meQuery } from '../../lib/me.ts';
import type { FormPhoto } from '../../lib/photos.ts';
import { refresh, type ReadPath } from '../../lib/query-keys.ts';
import { showFace } from '../../lib/session-state.ts';

/** Where a photo may be sent (7.18). */
export const startUpload = (signal: AbortSignal) => askToUpload({ body: {}, signal });

/** Where photos may come from besides the device. */
export const photoSources = (signal: AbortSignal): Promise<Partial<PhotoSources>> => readPhotoSources({ signal });

/** Makes a photo of what was sent there; asking again gives the same photo, and a new address to see it by (7.19). */
export async function photoOf(
  { photoURL = '', alt = '' }: { photoURL?: string; alt?: string },
  signal?: AbortSignal,
): Promise<FormPhoto> {
  const words = alt.trim();
  const body = { photoURL, ...(words !== '' && { alt: words }) };
  const answer: Partial<RegisteredPhoto> = await registerPhoto({ body, ...(signal && { signal }) });
  const { objectPath = '', previewUrl = '', width, height } = answer;
  return {
    objectPath,
    previewUrl,
    alt: words === '' ? null : words,
    photoURL,
    ...(width !== undefined && height !== undefined && { width, height }),
  };
}

/** What shows faces. */
const shown: readonly ReadPath[] = [
  '/api/me',
  '/api/users',
  '/api/leaderboard',
  '/api/feed',
  '/api/activity-feed',
  '/api/dashboard/stats',
];

/** Shows a photo as one's own picture, or none with null; every screen shows it at once (3.2, D53). */
export function useProfilePhoto() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (objectPath: string | null): Promise<Partial<ProfilePhotoAnswer>> =>
      objectPath === null ? removeProfilePhoto() : setProfilePhoto({ body: { objectPath } }),
    onSuccess: ({ profilePhotoUrl = null }) => {
      showFace(profilePhotoUrl);
      queryClient.setQueryData(meQuery.queryKey, (me) => me && { ...me, profilePhotoUrl });
      void refresh(queryClient, shown);
    },
  });
}
