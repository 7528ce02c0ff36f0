import { once } from 'node:events';
import { type Command, run } from './services.ts';

// Operators' commands on several services at once, in a process of its own that a test may kill in the middle.
process.on('disconnect', () => process.exit());
process.send?.('ready');
const [commands] = (await once(process, 'message')) as [Command[]];
const exitCodes = await Promise.all(commands.map((command) => run(command, console.error)));
process.exit(Math.max(...exitCodes.map(Number)));
