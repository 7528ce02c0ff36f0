/** How somebody is called whose account was erased. */
export const formerMemberName = 'A former member';
/** How somebody is called who hides their numbers on boards (D18). */
export const hiddenMemberName = 'A teammate';
