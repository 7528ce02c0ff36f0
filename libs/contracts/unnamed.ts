/** How somebody is called whose account was erased. */
export const formerMemberName = 'A former member';
/** How somebody is called who hides their numbers on boards (D18). */
export const hiddenMemberName = 'A teammate';
/** In place of a reader: nobody, who sees what a stranger of the organisation may see. */
export const strangerId = '00000000-0000-0000-0000-000000000000';
