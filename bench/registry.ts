import type { Finding } from './harness.ts';

type Goal = () => Promise<Finding[]>;

export const goals: Readonly<Record<string, Goal>> = {
  // G11 first: memory of a product that has not worked yet. Last those that need a million members in it.
  G11: async () => (await import('./goals/g11-memory.ts')).memory(),
  G2: async () => (await import('./goals/g02-pass-through.ts')).passThrough(),
  G3: async () => (await import('./goals/g03-read.ts')).authenticatedRead(),
  G1: async () => (await import('./goals/g01-log-a-movement.ts')).logAMovement(),
  PEERS: async () => (await import('./peers/peers.ts')).besidePeers(),
  G7: async () => (await import('./goals/g07-log-to-rank.ts')).logToRank(),
  G12: async () => (await import('./goals/g12-after-a-burst.ts')).afterABurst(),
  'LOAD-MONDAY': async () => (await import('./load/scenarios/monday.ts')).mondayMorning(),
  'LOAD-LUNCH': async () => (await import('./load/scenarios/lunch.ts')).lunchHour(),
  'LOAD-CLAIMS': async () => (await import('./load/scenarios/challenge-end.ts')).challengeEnds(),
  'LOAD-HOT-POST': async () => (await import('./load/scenarios/hot-post.ts')).everybodyReacts(),
  'LOAD-STREAMS': async () => (await import('./load/scenarios/streams.ts')).openStreams(),
  'LOAD-WEBHOOKS': async () => (await import('./load/scenarios/webhooks.ts')).syncBurst(),
  'LOAD-OVER': async () => (await import('./load/scenarios/overload.ts')).overload(),
  SIZES: async () => (await import('./goals/sizes.ts')).sizes(),
  G14: async () => (await import('./goals/g14-herd.ts')).herd(),
  F15: async () => (await import('./goals/f15-hot-post.ts')).hotPost(),
  G13: async () => (await import('./goals/g13-held-snapshot.ts')).heldSnapshot(),
  LOGINS: async () => (await import('./goals/logins.ts')).readingDuringLogins(),
  G16: async () => (await import('./goals/g16-office.ts')).office(),
  PHOTOS: async () => (await import('./goals/photos.ts')).photos(),
  'G8-CONSUMED': async () => (await import('./goals/g08-consumed.ts')).rebuildingConsumed(),
  G15: async () => (await import('./goals/g15-frozen.ts')).frozen(),
  G10: async () => (await import('./goals/g10-start.ts')).start(),
  G17: async () => (await import('./goals/g17-monday.ts')).monday(),
  G4: async () => (await import('./goals/g04-large-board.ts')).largeBoard(),
  G6: async () => (await import('./goals/g06-deep-feed.ts')).deepFeed(),
  G5: async () => (await import('./goals/g05-growth.ts')).growth(),
  G8: async () => (await import('./goals/g08-rebuild.ts')).rebuilding(),
  'G8-OTHERS': async () => (await import('./goals/g08-rebuild.ts')).rebuildingOthers(),
  'LONG-LOG': async () => (await import('./goals/long-log.ts')).longLog(),
  SOAK: async () => (await import('./goals/soak.ts')).soak(),
};

/** Each takes minutes, most of them waiting. */
const long = new Set(['SOAK', 'LONG-LOG', 'G8-OTHERS', 'G12', 'G13', 'G15', 'G17']);

const inShortForm = new Set(['G11', 'G2', 'G7', 'G16', 'G10', ...Object.keys(goals).filter(isOfLoad)]);

function isOfLoad(name: string): boolean {
  return name.startsWith('LOAD-');
}

/** The goals of a group: every scenario of load, or what a run of everything leaves out. */
const groups: Readonly<Record<string, (name: string) => boolean>> = {
  LOAD: isOfLoad,
  LONG: (name) => long.has(name),
};

/** In the order in which they disturb each other least. Throws for one that there is none of. */
export function goalsAsked(asked: readonly string[], isShort: boolean): string[] {
  const all = Object.keys(goals);
  if (asked.length === 0) return all.filter((name) => (isShort ? inShortForm.has(name) : !long.has(name)));
  const names = new Set(asked.map((name) => name.toUpperCase()));
  const isAsked = (name: string) =>
    names.has(name) || Object.entries(groups).some(([group, has]) => names.has(group) && has(name));
  const known = [...Object.keys(groups), ...all];
  const unknown = [...names].filter((name) => !known.includes(name));
  if (unknown.length > 0) throw new Error(`No goal ${unknown.join(', ')}; there are ${known.join(', ')}`);
  return all.filter(isAsked);
}
