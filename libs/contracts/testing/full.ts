/** `./caravan test --full` tries every case of a matrix and many histories; other runs try a chosen core of them. */
const isFull = process.env['CARAVAN_TEST_FULL'] === 'yes';

export const chooseCases = <Case>(all: readonly Case[], core: readonly Case[]): readonly Case[] =>
  isFull ? all : core;

/** How many cases of a property that needs servers are tried. */
export const casesOf = ({ core, full }: { core: number; full: number }): number => (isFull ? full : core);
