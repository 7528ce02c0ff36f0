/**
 * Random values for tests, from one seed. A run prints its seed; `./caravan test --seed N` draws the same values again in
 * every file, whichever other files run and in whatever order.
 */

const digits = 9;

/** The seed of this run, of the launcher or of the command that began it. */
export const runSeed = Number(process.env['CARAVAN_TEST_SEED'] ?? Date.now() % 10 ** digits);

type Source = () => number;

/** FNV-1a. */
function hashOf(text: string, basis: number): number {
  let hash = basis >>> 0;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 16_777_619) >>> 0;
  return hash;
}

/** Draws 32 bits. sfc32 of PractRand. */
function sourceOf(text: string): Source {
  let a = hashOf(text, 2_166_136_261);
  let b = hashOf(text, 84_696_351);
  let c = hashOf(text, 1_540_483_477);
  let counter = 1;
  const next = () => {
    const drawn = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (c << 21) | (c >>> 11);
    c = (c + drawn) | 0;
    return drawn >>> 0;
  };
  // The first values are like those of similar texts.
  for (let nth = 0; nth < 15; nth += 1) next();
  return next;
}

// Processes that no test file began, such as replicas of one suite, draw other values than each other.
let draw = sourceOf(`${runSeed} ${process.pid}`);

/** Begins the values of a test file, relative to the root of the repository. Answers a seed for other generators. */
export function beginFile(path: string): number {
  draw = sourceOf(`${runSeed} ${path}`);
  return draw() >> 1;
}

export function randomBytes(count: number): Buffer<ArrayBuffer> {
  return Buffer.from(Array.from({ length: count }, () => draw() & 0xff));
}

/** Version 4, as `crypto.randomUUID`. */
export function randomUUID(): `${string}-${string}-${string}-${string}-${string}` {
  const bytes = randomBytes(16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x40, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString('hex');
  const first = hex.slice(0, 8);
  const second = hex.slice(8, 12);
  const third = hex.slice(12, 16);
  return `${first}-${second}-${third}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** From 0 to below 1. */
export const random = (): number => draw() / 2 ** 32;

/** From `min` to below `max`. */
export const randomInt = (min: number, max: number): number => min + Math.floor(random() * (max - min));
