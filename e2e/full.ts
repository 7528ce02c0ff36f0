/** `./caravan test --full` tries every case of a matrix; other runs try a chosen core of it. */
export const isFull = process.env['CARAVAN_TEST_FULL'] === 'yes';

export const chosen = <Case>(all: readonly Case[], core: readonly Case[]): readonly Case[] => (isFull ? all : core);
