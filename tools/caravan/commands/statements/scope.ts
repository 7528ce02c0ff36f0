import ts from 'typescript';
import { samplesOf } from './sampling.ts';

/** The text of a statement depends on what is known only when it is sent. */
export class Unreadable extends Error {
  override readonly name = 'Unreadable';
}

/** An expression of a file that answers all values of a part of it. */
export type Made = { readonly file: string; readonly make: string };

type Caller = { readonly parameters: readonly ts.ParameterDeclaration[]; readonly calls: readonly ts.CallExpression[] };
type Gathered = {
  readonly lines: Map<ts.Node, string>;
  /** Values that a call hands in, by parameter. */
  readonly handedIn: ReadonlyMap<ts.Node, string>;
};

const mostCallers = 3;
const iterating = new Set(['map', 'flatMap', 'forEach', 'filter']);

/** Knows the values that the names in an expression may have. */
export class Scope {
  private readonly checker: ts.TypeChecker;
  private readonly calls: Map<ts.Node, ts.CallExpression[]>;
  /** Expressions whose values statements of other files take, by number. */
  readonly handed: Made[] = [];

  constructor(checker: ts.TypeChecker, files: readonly ts.SourceFile[]) {
    this.checker = checker;
    this.calls = callsByDeclaration(checker, files);
  }

  /** With samples for parameters. Throws `Unreadable`. */
  make(part: ts.Expression, handedIn: ReadonlyMap<ts.Node, string> = new Map()): string {
    const gathered: Gathered = { lines: new Map(), handedIn };
    this.gather(part, gathered);
    const expression = ts.isSpreadElement(part) ? part.expression : part;
    // A sample that the code refuses makes no text; the report counts them.
    const lines = [...gathered.lines.values()].map((line) => (line.startsWith('for') ? `${line} try {` : line));
    const ends = lines
      .filter((line) => line.startsWith('for'))
      .map(() => '} catch (error) { globalThis.skipSample(error); } }');
    return `(() => { const made = []; ${lines.join(' ')} made.push(${expression.getText()}); ${ends.join(' ')} return made; })()`;
  }

  /** With what each call of the function around it hands in, and that call. */
  makeByCalls(part: ts.Expression, depth = 0): { make: string; call: ts.CallExpression }[] {
    const caller = this.callerOf(part);
    if (!caller || depth >= mostCallers) return [];
    return caller.calls.flatMap((call) => {
      const handedIn = new Map<ts.Node, string>();
      for (const [nth, parameter] of caller.parameters.entries()) {
        const argument = call.arguments[nth];
        const values = argument && this.handOver(argument, depth + 1);
        if (values !== undefined) handedIn.set(parameter, values);
      }
      return { make: this.make(part, handedIn), call };
    });
  }

  private handOver(argument: ts.Expression, depth: number): string | undefined {
    const file = argument.getSourceFile().fileName;
    const number = (make: string): number => this.handed.push({ file, make }) - 1;
    try {
      const own = number(this.make(argument));
      const others = this.makeByCalls(argument, depth).map(({ make }) => number(make));
      return `globalThis.handedIn(${own}, [${others.join(', ')}])`;
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      return undefined;
    }
  }

  /** The function whose parameters the part depends on. */
  private callerOf(part: ts.Node): Caller | undefined {
    for (const { declaration } of this.namesIn(part)) {
      const of = parameterOf(declaration)?.parent;
      const callee = of && calleeOf(of);
      if (callee) return { parameters: [...of.parameters], calls: this.calls.get(callee) ?? [] };
      const initialiser = initialiserOf(declaration);
      const inner = initialiser && this.callerOf(initialiser);
      if (inner) return inner;
    }
    return undefined;
  }

  private gather(part: ts.Node, into: Gathered): void {
    for (const { name, declaration } of this.namesIn(part)) {
      const owner = parameterOf(declaration) ?? variableOf(declaration);
      if (!owner) throw new Unreadable(`it depends on \`${name}\``);
      if (into.lines.has(owner) || into.lines.has(declaration)) continue;
      const handed = into.handedIn.get(owner);
      if (handed !== undefined) into.lines.set(owner, `for (const ${owner.name.getText()} of ${handed}) {`);
      else if (!this.gatherVariable(owner, into)) this.gatherSample(name, declaration, into);
    }
  }

  /** False where its value is known only when the statement is sent. */
  private gatherVariable(owner: ts.VariableDeclaration | ts.ParameterDeclaration, into: Gathered): boolean {
    const elements = elementsOf(owner);
    const value = elements ?? (ts.isVariableDeclaration(owner) ? owner.initializer : undefined);
    if (!value) return false;
    const lines = new Map(into.lines);
    try {
      this.gather(value, { lines, handedIn: into.handedIn });
    } catch (error) {
      if (error instanceof Unreadable) return false;
      throw error;
    }
    for (const [node, line] of lines) into.lines.set(node, line);
    const name = owner.name.getText();
    const text = value.getText();
    into.lines.set(owner, elements ? `for (const ${name} of ${text}) {` : `const ${name} = ${text};`);
    return true;
  }

  private gatherSample(name: string, declaration: ts.Declaration, into: Gathered): void {
    const samples = samplesOf(this.checker.getTypeAtLocation(declaration), this.checker);
    if (!samples) throw new Unreadable(`it depends on \`${name}\``);
    into.lines.set(declaration, `for (const ${name} of [${samples.join(', ')}]) {`);
  }

  /** Names in the node that are declared neither in it nor at the top of a file. */
  private namesIn(node: ts.Node): { name: string; declaration: ts.Declaration }[] {
    const found: { name: string; declaration: ts.Declaration }[] = [];
    const visit = (each: ts.Node): void => {
      if (ts.isTypeNode(each)) return;
      if (each.kind === ts.SyntaxKind.ThisKeyword) throw new Unreadable('it depends on `this`');
      if (ts.isAwaitExpression(each)) throw new Unreadable('it depends on an answer');
      if (ts.isIdentifier(each)) {
        const declaration = this.declarationOf(each);
        if (declaration && isLocal(declaration) && !isWithin(declaration, node))
          found.push({ name: each.text, declaration });
      }
      ts.forEachChild(each, visit);
    };
    visit(node);
    return found;
  }

  private declarationOf(name: ts.Identifier): ts.Declaration | undefined {
    const { parent } = name;
    if (ts.isPropertyAccessExpression(parent) && parent.name === name) return undefined;
    if (ts.isPropertyAssignment(parent) && parent.name === name) return undefined;
    const symbol = ts.isShorthandPropertyAssignment(parent)
      ? this.checker.getShorthandAssignmentValueSymbol(parent)
      : this.checker.getSymbolAtLocation(name);
    return symbol?.valueDeclaration;
  }
}

function callsByDeclaration(
  checker: ts.TypeChecker,
  files: readonly ts.SourceFile[],
): Map<ts.Node, ts.CallExpression[]> {
  const calls = new Map<ts.Node, ts.CallExpression[]>();
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node)) {
      const callee = ts.isPropertyAccessExpression(node.expression) ? node.expression.name : node.expression;
      let symbol = checker.getSymbolAtLocation(callee);
      if (symbol && symbol.flags & ts.SymbolFlags.Alias) symbol = checker.getAliasedSymbol(symbol);
      const declaration = symbol?.valueDeclaration;
      if (declaration) calls.set(declaration, [...(calls.get(declaration) ?? []), node]);
    }
    ts.forEachChild(node, visit);
  };
  for (const file of files) visit(file);
  return calls;
}

function parameterOf(declaration: ts.Node): ts.ParameterDeclaration | undefined {
  if (ts.isParameter(declaration)) return declaration;
  return ts.isBindingElement(declaration) ? parameterOf(declaration.parent.parent) : undefined;
}

function variableOf(declaration: ts.Node): ts.VariableDeclaration | undefined {
  if (ts.isVariableDeclaration(declaration)) return declaration;
  return ts.isBindingElement(declaration) ? variableOf(declaration.parent.parent) : undefined;
}

const initialiserOf = (declaration: ts.Node): ts.Expression | undefined => {
  const variable = variableOf(declaration);
  return variable && (elementsOf(variable) ?? variable.initializer);
};

/** The list that a loop or a callback goes through. */
function elementsOf(owner: ts.VariableDeclaration | ts.ParameterDeclaration): ts.Expression | undefined {
  if (ts.isVariableDeclaration(owner)) {
    const loop = owner.parent.parent;
    return ts.isForOfStatement(loop) ? loop.expression : undefined;
  }
  const call = owner.parent.parent;
  if (owner.parent.parameters[0] !== owner || !ts.isCallExpression(call)) return undefined;
  const { expression } = call;
  const isIterating = ts.isPropertyAccessExpression(expression) && iterating.has(expression.name.text);
  return isIterating ? expression.expression : undefined;
}

/** Where calls of the function point. */
function calleeOf(of: ts.SignatureDeclaration): ts.Node | undefined {
  if (ts.isFunctionDeclaration(of) || ts.isMethodDeclaration(of)) return of;
  return ts.isVariableDeclaration(of.parent) ? of.parent : undefined;
}

const isWithin = (inner: ts.Node, outer: ts.Node): boolean =>
  ts.findAncestor(inner, (node) => node === outer) !== undefined;

const isLocal = (declaration: ts.Node): boolean =>
  ts.findAncestor(
    declaration.parent,
    (node) => ts.isFunctionLike(node) || ts.isClassStaticBlockDeclaration(node) || ts.isForOfStatement(node),
  ) !== undefined;
