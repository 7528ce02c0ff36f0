export default function absent() {
  throw new Error('This part of a package is left out: Caravan does not use it (docs/adr/0101-packages-to-run.md).');
}
