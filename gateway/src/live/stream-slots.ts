export const streamsPerSession = 5;
export const streamsPerMember = 20;

type Slot = { readonly sessionId: string; readonly evict: () => void };

/** A new page is always let in; the oldest is evicted (D38). */
export class StreamSlots {
  private readonly byMember = new Map<string, Slot[]>();

  acquire(member: { readonly userId: string; readonly sessionId: string }, evict: () => void): () => void {
    const { userId, sessionId } = member;
    const slots = this.byMember.get(userId) ?? [];
    this.byMember.set(userId, slots);
    const slot = { sessionId, evict };
    const ofSession = slots.filter((each) => each.sessionId === sessionId);
    const oldestOfMember = slots.length >= streamsPerMember ? slots[0] : undefined;
    const oldest = ofSession.length >= streamsPerSession ? ofSession[0] : oldestOfMember;
    if (oldest) this.release(userId, oldest);
    slots.push(slot);
    oldest?.evict();
    return () => this.release(userId, slot);
  }

  private release(userId: string, slot: Slot): void {
    const slots = this.byMember.get(userId) ?? [];
    const at = slots.indexOf(slot);
    if (at >= 0) slots.splice(at, 1);
    if (slots.length === 0) this.byMember.delete(userId);
  }
}
