import { readFileSync } from 'node:fs';

const { browserslist } = JSON.parse(readFileSync(`${import.meta.dirname}/../../package.json`, 'utf8')) as {
  browserslist: readonly string[];
};

/** The oldest supported version by browser: the list in the root's package.json. */
const oldest = new Map(browserslist.map((line) => line.split(' >= ') as [string, string]));

const targetNames = new Map([
  ['chrome', 'chrome'],
  ['edge', 'edge'],
  ['firefox', 'firefox'],
  ['safari', 'safari'],
  ['ios_saf', 'ios'],
]);

/** As Vite takes them, such as `safari17.5`. */
export const targets: string[] = [...oldest].map(([name, version]) => {
  const target = targetNames.get(name);
  if (target === undefined) throw new Error(`No build target is known for ${name}.`);
  return `${target}${version}`;
});

/** For people. */
export const supportedBrowsers = `Safari ${oldest.get('safari')}, Firefox ${oldest.get('firefox')}, Chrome ${oldest.get('chrome')} or newer`;
