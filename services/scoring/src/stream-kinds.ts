import { badgesStream } from './badges/public-events.ts';
import { bonusChallengeStream } from './bonus-challenges/bonus-challenge-stream.ts';
import { journeyStream } from './journey/public-events.ts';
import { ledgerStream } from './ledger-stream.ts';
import { weeklyClaimStream } from './weekly-claim-stream.ts';

/** Everything that this service records: what a rebuild reads. */
export const streamKinds = [badgesStream, bonusChallengeStream, journeyStream, ledgerStream, weeklyClaimStream];
