import { type LiveKind, liveKinds, type LiveWanted, openPagesSchema } from '@caravan/contracts/http/live';
import { kindOfTopic, type LiveTopic, liveTopics } from '@caravan/contracts/domain/live-topics';
import { z } from 'zod';

type ByName = Map<string, Set<LiveKind>>;

export type Audience = {
  readonly to?: string;
  readonly teams?: { readonly teamIds: readonly string[]; readonly kinds: readonly LiveKind[] };
  readonly persons?: { readonly userIds: readonly string[]; readonly kinds: readonly LiveKind[] };
};

export type Due = {
  readonly kinds: Set<LiveKind>;
  readonly persons: ByName;
  readonly teams: ByName;
  readonly wanted: Map<LiveTopic, Set<string>>;
  /** Requests of pages by id, kept as long as another process of the service may answer them. */
  readonly requests: Map<string, LiveWanted>;
};

export const nothingDue = (): Due => ({
  kinds: new Set(),
  persons: new Map(),
  teams: new Map(),
  wanted: new Map(),
  requests: new Map(),
});

const isAnythingCertain = ({ kinds, persons, teams, wanted }: Due): boolean =>
  kinds.size + persons.size + teams.size + wanted.size > 0;

export const isAnythingDue = (due: Due): boolean => isAnythingCertain(due) || due.requests.size > 0;

export function add(due: Due, kinds: readonly LiveKind[], { to, teams, persons }: Audience): void {
  if (to === undefined) for (const kind of kinds) due.kinds.add(kind);
  else note(due.persons, to, kinds);
  for (const teamId of teams?.teamIds ?? []) note(due.teams, teamId, teams?.kinds ?? []);
  for (const userId of persons?.userIds ?? []) note(due.persons, userId, persons?.kinds ?? []);
}

export function addWanted(due: Due, { wanted }: LiveWanted, isOurs: (topic: LiveTopic) => boolean): void {
  for (const { topics, readers } of wanted)
    for (const topic of topics.filter(isOurs))
      due.wanted.set(topic, new Set([...(due.wanted.get(topic) ?? []), ...readers]));
}

export function addUnsaid(due: Due, unsaid: Due): void {
  for (const kind of unsaid.kinds) due.kinds.add(kind);
  for (const [userId, kinds] of unsaid.persons) note(due.persons, userId, [...kinds]);
  for (const [teamId, kinds] of unsaid.teams) note(due.teams, teamId, [...kinds]);
  for (const [topic, readers] of unsaid.wanted)
    due.wanted.set(topic, new Set([...(due.wanted.get(topic) ?? []), ...readers]));
  for (const [id, request] of unsaid.requests) due.requests.set(id, request);
}

const kindsByName = z.record(z.string(), z.array(z.enum(liveKinds)));
const handedOverSchema = z.object({
  kinds: z.array(z.enum(liveKinds)),
  persons: kindsByName,
  teams: kindsByName,
  wanted: z.array(z.tuple([z.enum(liveTopics), z.array(z.string())])),
});
type HandedOver = z.infer<typeof handedOverSchema>;

const listsOf = (byName: ByName) => Object.fromEntries([...byName].map(([name, kinds]) => [name, [...kinds]]));

/** For another process of the service to publish. Empty where nothing is due but requests, which that one has too. */
export function textOf(due: Due): string {
  if (!isAnythingCertain(due)) return '';
  const handedOver: HandedOver = {
    kinds: [...due.kinds],
    persons: listsOf(due.persons),
    teams: listsOf(due.teams),
    wanted: [...due.wanted].map(([topic, readers]) => [topic, [...readers]]),
  };
  return JSON.stringify(handedOver);
}

/** Adds what another process handed over. */
export function addText(due: Due, text: string): void {
  const { success, data } = handedOverSchema.safeParse(jsonOf(text));
  if (!success) return;
  for (const kind of data.kinds) due.kinds.add(kind);
  for (const [userId, kinds] of Object.entries(data.persons)) note(due.persons, userId, kinds);
  for (const [teamId, kinds] of Object.entries(data.teams)) note(due.teams, teamId, kinds);
  for (const [topic, readers] of data.wanted)
    due.wanted.set(topic, new Set([...(due.wanted.get(topic) ?? []), ...readers]));
}

function note(byName: ByName, name: string, kinds: readonly LiveKind[]): void {
  byName.set(name, new Set([...(byName.get(name) ?? []), ...kinds]));
}

export type OpenPages = { readonly pages: number; readonly readersOf: (topic: LiveTopic) => ReadonlySet<string> };

/** Who has not said so again in time is gone, and so is what cannot be read. */
export function openPagesOf(notes: Readonly<Record<string, string>>, now: number): OpenPages {
  const known = Object.values(notes).flatMap((text) => {
    const { success, data } = openPagesSchema.safeParse(jsonOf(text));
    return success && data.until > now ? [data] : [];
  });
  const readers = new Map<LiveTopic, Set<string>>();
  for (const { topics, readers: theirs } of known.flatMap(({ groups }) => groups))
    for (const topic of topics) {
      const all = readers.get(topic) ?? new Set<string>();
      for (const reader of theirs) all.add(reader);
      readers.set(topic, all);
    }
  return {
    pages: known.reduce((sum, { pages }) => sum + pages, 0),
    readersOf: (topic) => readers.get(topic) ?? new Set<string>(),
  };
}

export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export type Asked = {
  readonly orgId: string;
  readonly at: Date;
  readonly readers: readonly string[];
  /** Otherwise only for these persons and teams, or these want to know. */
  readonly isForAll: boolean;
  readonly persons: ReadonlySet<string>;
  readonly teams: ReadonlySet<string>;
  readonly wanted: ReadonlySet<string>;
};

export function askedOf(
  topic: LiveTopic,
  due: Due,
  { orgId, at, readers }: { orgId: string; at: Date; readers: ReadonlySet<string> },
): Asked | undefined {
  const kind: LiveKind = kindOfTopic[topic];
  const those = (byName: ByName) => [...byName].filter(([, kinds]) => kinds.has(kind)).map(([name]) => name);
  const persons = new Set(those(due.persons).filter((userId) => readers.has(userId)));
  const teams = new Set(those(due.teams));
  const wanted = new Set([...(due.wanted.get(topic) ?? [])].filter((userId) => readers.has(userId)));
  const isForAll = due.kinds.has(kind);
  if (readers.size === 0 || !(isForAll || persons.size + teams.size + wanted.size > 0)) return undefined;
  return { orgId, at, readers: [...readers], isForAll, persons, teams, wanted };
}
