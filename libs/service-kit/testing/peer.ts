import { ServiceCredential } from '../http/service-credential.ts';

/** The credential of every service under test. */
export const testCredential = 'credential-of-services-under-test';

/** Headers of a caller that stands where the gateway and the other services stand. */
export const asPeer = new ServiceCredential(testCredential).headers;
