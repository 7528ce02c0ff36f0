const storageKey = 'badgesTold';

/** Keys of the badges that this browser's session has told of (4.37). */
export const toldBadges = (): Set<string> => new Set((sessionStorage.getItem(storageKey) ?? '').split('\n'));

export const noteTold = (key: string): void => sessionStorage.setItem(storageKey, [...toldBadges(), key].join('\n'));
