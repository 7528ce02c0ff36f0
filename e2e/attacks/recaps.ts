import type { Example, Examples } from './example.ts';
import type { Party } from './world.ts';

const names: NonNullable<Example['names']> = { 'path.id': { of: ({ recapId }) => recapId } };
const call = ({ recapId }: Party) => ({ path: { id: recapId } });

export const recapExamples = {
  readRecap: {
    call,
    names,
  },
  engageWithRecap: { call: (party) => ({ ...call(party), body: { reactionEmoji: '💪' } }), names },
  readRecapEffect: { call, names },
  readRecapsEffect: {},
  drawRecap: { call, names },
} satisfies Examples;
