import type { FailureReason, Notice } from '../providers/index.ts';

const second = 1_000;
const hour = 3_600 * second;
const day = 24 * hour;

/** Platforms date changes to the second: by then nothing more can happen in the one that is told of. */
export const waitSeconds = 1;

const marginSeconds = 0.2;

/** What came in one second is read together, once the last that can still come in it is due. */
export function readingOf(now: Date): { readonly second: number; readonly delaySeconds: number } {
  const seconds = now.getTime() / 1_000;
  const second = Math.floor(seconds);
  return { second, delaySeconds: second + 1 + waitSeconds + marginSeconds - seconds };
}

/** Notices of an account in an hour; more are looked at together when it is over. */
export const mostPerHour = 200;
const overflowDays = 7;

/** What it says in one line: delivered again it says the same. */
export const textOf = (notice: Notice): string =>
  JSON.stringify(
    notice.kind === 'revoked'
      ? [notice.providerUserId, 'revoked', notice.at]
      : [notice.providerUserId, notice.kind, notice.externalId, notice.from, notice.to, notice.at],
  );

/** In place of all that come after too many: what they can be about is looked at once the hour is over. */
export function overflowOf(providerUserId: string, now: Date): { notice: Notice; dueAt: Date } {
  const dueAt = new Date((Math.floor(now.getTime() / hour) + 1) * hour);
  const span = { from: new Date(dueAt.getTime() - overflowDays * day), to: new Date(dueAt.getTime() + hour) };
  return { notice: { kind: 'changed', providerUserId, externalId: null, ...span, at: dueAt }, dueAt };
}

export type Kept = {
  readonly noticeId: string;
  readonly kind: string;
  readonly externalId: string | null;
  readonly fromAt: Date | null;
  readonly toAt: Date | null;
};

/** A question to the platform, and the notices that it answers. */
export type Question = { readonly noticeIds: readonly string[] } & (
  { readonly is: 'one'; readonly externalId: string } | { readonly is: 'span'; readonly from: Date; readonly to: Date }
);

const marginMilliseconds = 60 * second;

/** Each workout is asked for once, however much was told of it; spans that meet are one. */
export function questionsOf(notices: readonly Kept[]): readonly Question[] {
  const idsOf = new Map<string, string[]>();
  const spans: { from: Date; to: Date; noticeIds: string[] }[] = [];
  for (const { noticeId, externalId, fromAt, toAt } of notices.toSorted(byBegin)) {
    if (externalId !== null) idsOf.set(externalId, [...(idsOf.get(externalId) ?? []), noticeId]);
    else if (fromAt !== null && toAt !== null) {
      const from = fromAt.getTime() - marginMilliseconds;
      const to = toAt.getTime() + marginMilliseconds;
      const last = spans.at(-1);
      if (last && from <= last.to.getTime()) {
        last.to = new Date(Math.max(last.to.getTime(), to));
        last.noticeIds.push(noticeId);
      } else spans.push({ from: new Date(from), to: new Date(to), noticeIds: [noticeId] });
    }
  }
  return [
    ...[...idsOf].map(([externalId, noticeIds]) => ({ is: 'one' as const, externalId, noticeIds })),
    ...spans.map((span) => ({ is: 'span' as const, ...span })),
  ];
}

const byBegin = (one: Kept, other: Kept): number => (one.fromAt?.getTime() ?? 0) - (other.fromAt?.getTime() ?? 0);

/** A permission that stands after all, and what names neither a workout nor a time. */
export const isAnswerless = ({ externalId, fromAt, toAt }: Kept): boolean =>
  externalId === null && (fromAt === null || toAt === null);

const mostTries = 40;
const mostReadings = 5;
const longestRestSeconds = 3_600;

/** Whether asking once more is in vain; what the nightly sync sees is not lost by it. */
export const isVain = (why: FailureReason, tries: number): boolean =>
  tries >= mostTries || ((why === 'unreadable' || why === 'refused') && tries >= mostReadings);

export function restSecondsOf(claimed: readonly { readonly tries: number }[], retryAfterSeconds = 0): number {
  const tries = Math.max(...claimed.map((one) => one.tries));
  return Math.max(retryAfterSeconds, Math.min(longestRestSeconds, 5 * 2 ** Math.min(tries, 12)));
}
