const base = 36;
const tMin = 1;
const tMax = 26;
const skew = 38;
const damp = 700;
const initialBias = 72;
const initialCode = 128;

/** The text behind `xn--` (RFC 3492); undefined when it is none. */
export function decodedPunycode(encoded: string): string | undefined {
  const delimiter = encoded.lastIndexOf('-');
  const output = [...encoded.slice(0, Math.max(0, delimiter))];
  const digits = [...encoded.slice(delimiter + 1)].map((sign) => Number.parseInt(sign, base) - 10).map(asDigit);
  let code = initialCode as number;
  let bias = initialBias as number;
  let index = 0;
  let at = 0;
  while (at < digits.length) {
    const before = index;
    for (let weight = 1, k = base; ; k += base) {
      const digit = digits[at];
      at += 1;
      if (digit === undefined || Number.isNaN(digit)) return undefined;
      index += digit * weight;
      const threshold = Math.min(Math.max(k - bias, tMin), tMax);
      if (digit < threshold) break;
      weight *= base - threshold;
    }
    const length = output.length + 1;
    bias = adaptBias(index - before, length, before === 0);
    code += Math.floor(index / length);
    index %= length;
    if (code > 0x10_ffff) return undefined;
    output.splice(index, 0, String.fromCodePoint(code));
    index += 1;
  }
  return output.join('');
}

/** Letters stand for 0 to 25, digits for 26 to 35. */
const asDigit = (value: number): number => (value < 0 ? value + base : value);

function adaptBias(delta: number, length: number, isFirst: boolean): number {
  let rest = isFirst ? Math.floor(delta / damp) : delta >> 1;
  rest += Math.floor(rest / length);
  let k = 0;
  while (rest > ((base - tMin) * tMax) >> 1) {
    rest = Math.floor(rest / (base - tMin));
    k += base;
  }
  return k + Math.floor(((base - tMin + 1) * rest) / (rest + skew));
}
