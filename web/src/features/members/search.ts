import type { memberSorts } from '@caravan/contracts/http/organisations';
import { mendedText } from '@caravan/contracts/domain/text/text';

export type MemberSort = (typeof memberSorts)[number];
/** What the address bar says about the list; absent is any, and by name. */
export type MembersSearch = { q?: string; teamId?: string; role?: string; status?: string; sort?: MemberSort };

const choices = { role: ['member', 'admin'], status: ['active', 'inactive'] } as const;
const longestText = 100;
const isSort = (value: unknown): value is MemberSort => sorts.includes(value as MemberSort);
const sorts: readonly MemberSort[] = ['name', '-name', 'joined', '-joined', 'miles', '-miles', 'active', '-active'];

/** The part of an address that the list understands; whatever else somebody typed there is left out. */
export function searchOf({ q, teamId, role, status, sort }: Record<string, unknown>): MembersSearch {
  const text = (value: unknown) => (typeof value === 'string' ? mendedText(value, { maxCharacters: longestText }) : '');
  const among = (value: unknown, known: readonly string[]) => known.find((each) => each === value);
  const chosenRole = among(role, choices.role);
  const chosenStatus = among(status, choices.status);
  return {
    ...(text(q) !== '' && { q: text(q) }),
    ...(text(teamId) !== '' && { teamId: text(teamId) }),
    ...(chosenRole !== undefined && { role: chosenRole }),
    ...(chosenStatus !== undefined && { status: chosenStatus }),
    ...(isSort(sort) && sort !== 'name' && { sort }),
  };
}

export const isFiltered = ({ q, teamId, role, status }: MembersSearch): boolean =>
  [q, teamId, role, status].some((filter) => filter !== undefined);

/** The order after a press on a column: another column downwards where that says more, the same one reversed. */
export function sortAfter(sort: MemberSort, column: 'name' | 'joined' | 'miles' | 'active'): MemberSort {
  if (sort === column) return `-${column}`;
  if (sort === `-${column}`) return column;
  return column === 'name' ? column : `-${column}`;
}
