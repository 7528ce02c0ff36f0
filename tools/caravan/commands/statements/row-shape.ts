import ts from 'typescript';

/** The kind of value that a row type promises; `any` when it may be anything. */
export type Kind = 'number' | 'string' | 'boolean' | 'date' | 'bytes' | 'array' | 'object' | 'any';
export type Value = { readonly kinds: ReadonlySet<Kind>; readonly isNullable: boolean; readonly elements?: Value };
export type RowShape = ReadonlyMap<string, Value & { readonly isOptional: boolean }>;

const nothing = ts.TypeFlags.Null | ts.TypeFlags.Undefined | ts.TypeFlags.Void;

function kindOf(type: ts.Type, checker: ts.TypeChecker): Kind {
  const { flags } = type;
  if (flags & ts.TypeFlags.NumberLike) return 'number';
  if (flags & (ts.TypeFlags.StringLike | ts.TypeFlags.TemplateLiteral)) return 'string';
  if (flags & ts.TypeFlags.BooleanLike) return 'boolean';
  // A branded string is an intersection of a string and an object.
  if (type.isIntersection())
    return type.types.map((each) => kindOf(each, checker)).find((kind) => kind !== 'object') ?? 'object';
  if (!(flags & ts.TypeFlags.Object)) return 'any';
  if (checker.isArrayLikeType(type)) return 'array';
  const name = type.getSymbol()?.name;
  if (name === 'Date') return 'date';
  return name === 'Buffer' || name === 'Uint8Array' ? 'bytes' : 'object';
}

function valueOf(type: ts.Type, checker: ts.TypeChecker): Value {
  const all = type.isUnion() ? type.types : [type];
  const some = all.filter(({ flags }) => !(flags & nothing));
  const kinds = new Set(some.map((each) => kindOf(each, checker)));
  const isNullable = some.length < all.length || kinds.has('any');
  const array = some.find((each) => checker.isArrayLikeType(each));
  const element = array && checker.getIndexTypeOfType(array, ts.IndexKind.Number);
  return element ? { kinds, isNullable, elements: valueOf(element, checker) } : { kinds, isNullable };
}

/** The properties of a row's type; undefined where it names none. */
export function shapeOf(checker: ts.TypeChecker, type: ts.Type): RowShape | undefined {
  // A property is optional when only some members of a union of row types have it.
  const each = (type.isUnion() ? type.types : [type]).map((one) => checker.getPropertiesOfType(one));
  const properties = [...new Map(each.flat().map((property) => [property.name, property])).values()];
  const isInEach = (name: string): boolean => each.every((some) => some.some((property) => property.name === name));
  if (properties.length === 0 || type.flags & (ts.TypeFlags.Any | ts.TypeFlags.TypeParameter)) return undefined;
  return new Map(
    properties.map((property) => {
      const value = valueOf(checker.getTypeOfSymbol(property), checker);
      const isOptional = (property.flags & ts.SymbolFlags.Optional) !== 0 || !isInEach(property.name);
      return [property.name, Object.assign({ isOptional }, value)];
    }),
  );
}
