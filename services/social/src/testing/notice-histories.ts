import { type NotificationKind, notificationKinds } from '@caravan/contracts/domain/notification-kinds';
import fc from 'fast-check';

const people = [0, 1, 2, 3] as const;
const kinds = [
  'reaction',
  'comment',
  'mention',
  'follower',
  'badge',
  'sync-failed',
] as const satisfies NotificationKind[];
const somebody = fc.constantFrom(...people);
const posts = [0, 1] as const;

/** Posts are by the members of their number. */
const step = fc.oneof(
  fc.record({ does: fc.constantFrom('cheer', 'uncheer'), by: somebody, post: fc.constantFrom(...posts) }),
  fc.record({ does: fc.constant('comment'), by: somebody, post: fc.constantFrom(...posts), mentions: somebody }),
  fc.record({ does: fc.constantFrom('follow', 'unfollow'), by: somebody, whom: somebody }),
  fc.record({ does: fc.constant('earn'), whom: somebody, badge: fc.constantFrom('a', 'b') }),
  fc.record({
    does: fc.constantFrom('fail', 'recover'),
    whom: somebody,
    platform: fc.constantFrom('strava', 'fitbit'),
  }),
  fc.record({ does: fc.constant('mute'), whom: somebody, kinds: fc.subarray([...kinds]) }),
  fc.record({ does: fc.constant('show'), whom: somebody, activity: fc.boolean(), profile: fc.boolean() }),
  fc.record({ does: fc.constant('read'), whom: somebody }),
  fc.record({ does: fc.constant('erase'), whom: somebody }),
);
export type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;
export const histories = fc.array(step, { minLength: 5, maxLength: 40 });

type Item = {
  readonly to: number;
  readonly kind: NotificationKind;
  readonly key: string;
  by: number | null;
  isGone: boolean;
};
type Person = { isErased: boolean; activity: boolean; profile: boolean; muted: readonly string[] };

/** The rule as it is spoken, one thing after the other: what everybody may be told of. */
export class ToldModel {
  readonly persons = people.map((): Person => ({
    isErased: false,
    activity: true,
    profile: true,
    muted: ['rank-lost'],
  }));
  private readonly items = new Map<string, Item>();
  private readonly cheers = new Set<string>();

  cheer(by: number, post: number): void {
    this.cheers.add(`${post} ${by}`);
    this.raise({ to: post, kind: 'reaction', key: `${post} ${by}`, by });
  }
  uncheer(by: number, post: number): void {
    this.cheers.delete(`${post} ${by}`);
  }
  raise({ to, kind, key, by }: Omit<Item, 'isGone'>): void {
    const person = this.of(to);
    const id = `${to} ${kind} ${key}`;
    if (to === by || person.isErased || person.muted.includes(kind)) return;
    this.items.set(id, { to, kind, key, by, isGone: false });
  }
  withdraw(to: number, kind: NotificationKind, key: string): void {
    const item = this.items.get(`${to} ${kind} ${key}`);
    if (item) item.isGone = true;
  }
  erase(whom: number): void {
    this.of(whom).isErased = true;
  }

  /** By kind, how many things a member may be told of now. */
  countsOf(member: number): Record<string, number> {
    const shown = [...this.items.values()].filter((item) => item.to === member && this.isShown(item));
    return Object.fromEntries(
      notificationKinds
        .map((kind) => [kind, shown.filter((item) => item.kind === kind).length] as const)
        .filter(([, count]) => count > 0),
    );
  }

  private isShown({ kind, key, by, isGone, to }: Item): boolean {
    if (isGone || this.of(to).isErased) return false;
    if (by === null) return true;
    const { activity, profile, isErased } = this.of(by);
    if (kind === 'reaction') return this.cheers.has(key);
    if (kind === 'follower') return profile && !isErased;
    const post = Number(key.split(' ')[0]);
    const author = this.of(post);
    // Below a former member's post nothing is kept.
    return activity && !isErased && !author.isErased && (post === to || author.activity);
  }

  private of(index: number): Person {
    const person = this.persons[index];
    if (!person) throw new Error('nobody');
    return person;
  }
}
