/** How many pages are kept open for one session and for one member. */
export const streamsPerSession = 5;
export const streamsPerMember = 20;

type Place = { readonly sessionId: string; readonly giveWay: () => void };

/** The open pages of members, oldest first, so that a new page is always let in and the oldest gives way (D38). */
export class Places {
  private readonly byMember = new Map<string, Place[]>();

  /** Takes a place; `giveWay` is called when a newer page needs it. Answers the function that leaves it. */
  take(member: { readonly userId: string; readonly sessionId: string }, giveWay: () => void): () => void {
    const { userId, sessionId } = member;
    const places = this.byMember.get(userId) ?? [];
    this.byMember.set(userId, places);
    const place = { sessionId, giveWay };
    const ofSession = places.filter((each) => each.sessionId === sessionId);
    const oldest =
      ofSession.length >= streamsPerSession ? ofSession[0] : places.length >= streamsPerMember ? places[0] : undefined;
    if (oldest) this.leave(userId, oldest);
    places.push(place);
    oldest?.giveWay();
    return () => this.leave(userId, place);
  }

  private leave(userId: string, place: Place): void {
    const places = this.byMember.get(userId) ?? [];
    const at = places.indexOf(place);
    if (at >= 0) places.splice(at, 1);
    if (places.length === 0) this.byMember.delete(userId);
  }
}
