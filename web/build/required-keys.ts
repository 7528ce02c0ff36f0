type Parameter = { readonly name: string; readonly in: string; readonly required?: boolean };
type Operation = { readonly parameters?: readonly Parameter[] };
type Document = { readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>> };

const isIdempotencyKey = (parameter: Parameter): boolean =>
  parameter.in === 'header' && parameter.name === 'Idempotency-Key';

const withRequiredKey = (operation: Operation): Operation =>
  operation.parameters
    ? {
        ...operation,
        parameters: operation.parameters.map((parameter) =>
          isIdempotencyKey(parameter) ? { ...parameter, required: true } : parameter,
        ),
      }
    : operation;

/**
 * The API's document as the web app reads it: where an operation takes an `Idempotency-Key`, the app must send one. A
 * call of the generated client without a key does not compile (D38).
 */
export const withRequiredKeys = <Given extends Document>(document: Given): Given => ({
  ...document,
  paths: mapValues(document.paths, (operations) => mapValues(operations, withRequiredKey)),
});

const mapValues = <Value>(record: Readonly<Record<string, Value>>, change: (value: Value) => Value) =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]));
