import { expect, test } from 'vitest';
import { operations } from '../operations.ts';
import type { Operation } from './operation.ts';

/** Operations that POST without an `Idempotency-Key`, by why a second try makes nothing twice. */
const withoutKey: Readonly<Record<string, readonly (keyof typeof operations)[]>> = {
  'an address has one account, so the second try is refused': ['signup'],
  'nobody holds the token of a session whose answer was lost': ['login', 'refreshSession'],
  'the mailed token works once': ['resetPassword', 'confirmEmail', 'undoEmail'],
  'another try mails the same link again, at most three times an hour': ['forgotPassword', 'resendConfirmation'],
  'while data is being collected, another request is answered with the same collection': ['requestExport'],
  'a browser has one subscription, named by its endpoint': ['subscribeToPushes'],
  'the app sends it by itself after a log, and never again': ['trackActivity'],
  'what is uploaded and registered with no photo is cleaned up': [
    'startUpload',
    'beginPartedUpload',
    'completePartedUpload',
    'importLinkedFile',
  ],
  'it reads an address and stores nothing': ['readLinkedFile'],
  'repeating changes nothing': [
    'logout',
    'unsubscribe',
    'completeChallenge',
    'showComment',
    'dismissReports',
    'markNotificationsRead',
  ],
  'what is closed is not closed again': ['closeBallot'],
  'a workout counts once, by its id at the platform': ['syncFitness'],
  'a platform repeats what it delivers, and a delivery is handled once': [
    'deliverStrava',
    'deliverGoogleHealth',
    'deliverFitbit',
  ],
};

const posts = Object.entries<Operation>(operations).filter(([, { method }]) => method === 'post');

test('[D38] every operation that POSTs takes an Idempotency-Key, or says why it needs none', () => {
  const keyless = posts.filter(([, { isIdempotent }]) => isIdempotent !== true).map(([id]) => id);
  expect(Object.values(withoutKey).flat().toSorted()).toEqual(keyless.toSorted());
});
