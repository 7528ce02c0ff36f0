import type { ManagedMember } from '@caravan/contracts/http/organisations';

/** One more, or one less; what is selected on other pages stays. */
export function toggle(selected: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(selected);
  if (!next.delete(id)) next.add(id);
  return next;
}

/** All of a page, or none of it when all were selected. */
export function togglePage(
  selected: ReadonlySet<string>,
  members: readonly Pick<ManagedMember, 'id'>[],
): ReadonlySet<string> {
  const isAll = members.every(({ id }) => selected.has(id));
  const next = new Set(selected);
  for (const { id } of members) {
    if (isAll) next.delete(id);
    else next.add(id);
  }
  return next;
}
