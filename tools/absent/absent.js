export default function absent() {
  throw new Error('This part of a package is left out: Caravan does not use it (ADR 0101).');
}
