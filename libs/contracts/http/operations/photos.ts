import { z } from 'zod';
import * as photos from '../photos.ts';
import { list } from './operation.ts';

export const photosOperations = list({
  startUpload: {
    method: 'post',
    path: '/api/objects/upload',
    service: 'activity',
    access: 'member',
    summary: 'Ask where a photo is to be sent: the answer’s address takes a PUT of the file for ten minutes.',
    body: photos.startUploadRequestSchema,
    answers: { 200: photos.startedUploadSchema },
    refusals: { 429: 'Thirty photos an hour is the most; see Retry-After.' },
  },
  registerPhoto: {
    method: 'put',
    path: '/api/workout-photos',
    service: 'activity',
    access: 'member',
    summary: 'Make a photo of a file that was sent. The same request again gives the same answer.',
    body: photos.registerPhotoRequestSchema,
    answers: { 200: photos.registeredPhotoSchema },
    refusals: {
      404: 'No such upload of one’s own, or it has not arrived.',
      422: 'The file is no photo, or a field is not valid.',
    },
  },
  readPhoto: {
    method: 'get',
    path: '/objects/photos/{photoId}/{size}.webp',
    service: 'activity',
    access: 'public',
    summary: 'A photo in one of its sizes, by an address that was signed for who sees it. Needs no bearer.',
    query: photos.photoQuerySchema,
    mediaType: 'image/webp',
    answers: { 200: z.unknown() },
    refusals: { 403: 'The address has expired, or is not one of ours.', 404: 'The photo is gone.' },
  },
  setProfilePhoto: {
    method: 'put',
    path: '/api/me/photo',
    service: 'identity',
    access: 'member',
    summary: 'Show a photo of one’s own as one’s picture.',
    body: photos.profilePhotoRequestSchema,
    answers: { 200: photos.profilePhotoAnswerSchema },
    refusals: { 404: 'No such photo of one’s own.', 409: 'The photo belongs to a log.' },
  },
  removeProfilePhoto: {
    method: 'delete',
    path: '/api/me/photo',
    service: 'identity',
    access: 'member',
    summary: 'Show no picture of oneself any more.',
    answers: { 200: photos.profilePhotoAnswerSchema },
  },
});
