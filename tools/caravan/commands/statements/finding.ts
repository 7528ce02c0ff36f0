import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import ts from 'typescript';
import { root } from '../../process/paths.ts';
import { type RowShape, shapeOf } from './row-shape.ts';
import { type Made, Scope, Unreadable } from './scope.ts';

/** The rows that code expects; missing where it expects none or anything. */
type Rows = { readonly row?: RowShape };

/** A call that sends SQL, or a statement of a projection. */
export type Found = Rows & {
  readonly file: string;
  readonly line: number;
  /** TypeScript that belongs into the file and makes all texts of the statement; missing where that cannot be known. */
  readonly make?: string;
  readonly why?: string;
  /** The same for each call of the function around it, for texts that it hands in. */
  readonly byCalls: readonly (Rows & { readonly make: string })[];
};

const isProduct = (file: string): boolean =>
  /\/(services\/[^/]+\/src|libs)\//.test(file) &&
  !/\.spec\.ts$|\/(testing|generated|simulators)\/|\.contract\.ts$/.test(file);

const senders = new Set(['query', 'last', 'defer', 'send']);
const connections = /\b(Tx|OpenTransaction|Pool|BoundedPool|PoolClient|ClientBase|Client)\b/;

/** The argument with the text of SQL; of `readMyData` an object of texts. */
function textOf(
  call: ts.CallExpression,
  checker: ts.TypeChecker,
  onOther: (receiver: string) => void,
): ts.Expression | undefined {
  const { expression, arguments: given } = call;
  if (ts.isIdentifier(expression)) {
    if (['tenantQuery', 'readMyData'].includes(expression.text)) return given[2];
    return undefined;
  }
  if (!ts.isPropertyAccessExpression(expression) || !senders.has(expression.name.text)) return undefined;
  const receiver = checker.typeToString(checker.getTypeAtLocation(expression.expression));
  if (connections.test(receiver)) return given[0];
  onOther(`${receiver}.${expression.name.text}`);
  return undefined;
}

/** A function that sends what it is given is no statement: its callers are. */
function isHandingOn(node: ts.Node, text: ts.Node): boolean {
  const of = ts.findAncestor(node, ts.isFunctionLike);
  const name = of?.name?.getText() ?? '';
  return ts.isIdentifier(text) && ['tenantQuery', 'readMyData', ...senders].includes(name.replace('#', ''));
}

/** `{ text: …, rows: … }` is a statement that a projection answers. */
function textOfProjected(node: ts.Node): ts.Expression | undefined {
  if (!ts.isObjectLiteralExpression(node)) return undefined;
  const propertyNamed = (name: string) => node.properties.find((property) => property.name?.getText() === name);
  const text = propertyNamed('text');
  return text && ts.isPropertyAssignment(text) && propertyNamed('rows') ? text.initializer : undefined;
}

export class Finder {
  private readonly program: ts.Program;
  private readonly checker: ts.TypeChecker;
  private readonly files: readonly ts.SourceFile[];

  constructor() {
    const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), (path) => readFileSync(path, 'utf8')) as {
      config: object;
    };
    const { fileNames, options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
    this.program = ts.createProgram(fileNames.filter(isProduct), options);
    this.checker = this.program.getTypeChecker();
    this.files = this.program.getSourceFiles().filter(({ fileName }) => isProduct(fileName));
  }

  find(): { statements: Found[]; handed: readonly Made[]; otherReceivers: ReadonlyMap<string, number> } {
    const otherReceivers = new Map<string, number>();
    const onOther = (name: string): void => void otherReceivers.set(name, (otherReceivers.get(name) ?? 0) + 1);
    const scope = new Scope(this.checker, this.files);
    const statements = this.files.flatMap((file) => {
      const found: Found[] = [];
      const visit = (node: ts.Node): void => {
        const text = ts.isCallExpression(node) ? textOf(node, this.checker, onOther) : textOfProjected(node);
        if (text && !isHandingOn(node, text)) found.push(this.read(scope, node, text));
        ts.forEachChild(node, visit);
      };
      visit(file);
      return found;
    });
    return { statements, handed: scope.handed, otherReceivers };
  }

  private read(scope: Scope, node: ts.Node, text: ts.Expression): Found {
    const file = node.getSourceFile();
    const line = file.getLineAndCharacterOfPosition(text.getStart()).line + 1;
    const place = { file: relative(root, file.fileName), line };
    const [named] = ts.isCallExpression(node) ? (node.typeArguments ?? []) : [];
    const row = named && this.checker.getTypeFromTypeNode(named);
    const isObject = ts.isCallExpression(node) && node.expression.getText() === 'readMyData';
    const textsOf = (make: string): string => (isObject ? `${make}.flatMap((files) => Object.values(files))` : make);
    const withRow = <Of extends object>(of: Of, type: ts.Type | undefined): Of & Rows => {
      const shape = type && shapeOf(this.checker, type);
      return shape ? Object.assign(of, { row: shape }) : of;
    };
    try {
      const byCalls = scope
        .makeByCalls(text)
        .map(({ make, call }) => withRow({ make: textsOf(make) }, row && this.rowOf(row, node, call)));
      return withRow(Object.assign({ make: textsOf(scope.make(text)), byCalls }, place), row);
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      return Object.assign({ why: error.message, byCalls: [] }, place);
    }
  }

  /** A type parameter of the function around a statement stands for what the call names. */
  private rowOf(row: ts.Type, node: ts.Node, call: ts.CallExpression): ts.Type | undefined {
    if (!(row.flags & ts.TypeFlags.TypeParameter)) return row;
    const of = ts.findAncestor(node, (each) => ts.isFunctionLike(each) && each.typeParameters !== undefined);
    const parameters = of && ts.isFunctionLike(of) ? (of.typeParameters ?? []) : [];
    const given = call.typeArguments?.[parameters.findIndex(({ name }) => name.text === row.symbol.name)];
    return given && this.checker.getTypeFromTypeNode(given);
  }
}
