import manifest from '../package.json' with { type: 'json' };

/** What runs here. */
export const release = { version: manifest.version, node: process.version };
