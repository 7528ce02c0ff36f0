import ts from 'typescript';

/** Stands for a text that is known only when the statement is sent; a statement that holds it cannot be checked. */
export const unknownText = '⟪unknown⟫';

const mostSamples = 64;
const deepest = 3;

/** JavaScript of all values of a type that has few, or of one that stands for them; undefined where there is none. */
export function samplesOf(type: ts.Type, checker: ts.TypeChecker, depth = 0): readonly string[] | undefined {
  const all = type.isUnion() ? type.types : [type];
  const samples = all.map((each) => samplesOfOne(each, checker, depth));
  const known = samples.filter((each) => each !== undefined);
  return known.length < samples.length ? undefined : [...new Set(known.flat())].slice(0, mostSamples);
}

function samplesOfOne(type: ts.Type, checker: ts.TypeChecker, depth: number): readonly string[] | undefined {
  const { flags } = type;
  if (type.isStringLiteral() || type.isNumberLiteral()) return [JSON.stringify(type.value)];
  if (flags & ts.TypeFlags.BooleanLiteral) return [checker.typeToString(type)];
  if (flags & ts.TypeFlags.Null) return ['null'];
  if (flags & ts.TypeFlags.Undefined) return ['undefined'];
  if (flags & ts.TypeFlags.NumberLike) return ['1'];
  if (
    flags & ts.TypeFlags.StringLike ||
    (type.isIntersection() && type.types.some((each) => each.flags & ts.TypeFlags.StringLike))
  )
    return [`'${unknownText}'`];
  if (checker.isTupleType(type)) return samplesOfTuple(type, checker, depth);
  if (checker.isArrayType(type)) return ['[]'];
  if (type.getSymbol()?.name === 'Date') return ['new Date(0)'];
  return samplesOfObject(type, checker, depth);
}

function samplesOfTuple(type: ts.Type, checker: ts.TypeChecker, depth: number): readonly string[] | undefined {
  const elements = checker
    .getTypeArguments(type as ts.TypeReference)
    .map((each) => samplesOf(each, checker, depth + 1));
  const choices = elements.filter((each) => each !== undefined);
  if (choices.length < elements.length) return undefined;
  return combinations(choices).map((values) => `[${values.join(', ')}]`);
}

function samplesOfObject(type: ts.Type, checker: ts.TypeChecker, depth: number): readonly string[] | undefined {
  const isObject = (type.flags & ts.TypeFlags.Object) !== 0 || type.isIntersection();
  if (!isObject || type.isClass() || depth >= deepest || type.getCallSignatures().length > 0) return undefined;
  const names: string[] = [];
  const choices: (readonly string[])[] = [];
  for (const property of checker.getPropertiesOfType(type)) {
    const values = samplesOf(checker.getTypeOfSymbol(property), checker, depth + 1);
    if (!values) return undefined;
    names.push(JSON.stringify(property.name));
    choices.push(values);
  }
  return combinations(choices).map(
    (values) => `{ ${values.map((value, nth) => `${names[nth]}: ${value}`).join(', ')} }`,
  );
}

/** Every value with every other; where these are too many, each value at least once. */
function combinations(choices: readonly (readonly string[])[]): readonly (readonly string[])[] {
  const count = choices.reduce((product, values) => product * values.length, 1);
  if (count <= mostSamples)
    return choices.reduce<string[][]>(
      (before, values) => before.flatMap((row) => values.map((value) => [...row, value])),
      [[]],
    );
  const longest = Math.max(...choices.map((values) => values.length));
  return Array.from({ length: longest }, (_, nth) => choices.map((values) => values[nth % values.length] ?? ''));
}
