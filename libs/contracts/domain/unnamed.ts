export const formerMemberName = 'A former member';
export const hiddenMemberName = 'A teammate';
/** A reader who sees what a stranger of the organisation may see. */
export const strangerId = '00000000-0000-0000-0000-000000000000';
/** What a team of a closed organisation is called. */
export const formerTeamName = 'A former team';
