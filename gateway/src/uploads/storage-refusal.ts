/** The panel asks for another address when it reads `Request has expired`; names of hosts and keys stay inside. */
export function withoutNames(document: string): string {
  const word = (name: string) => new RegExp(`<${name}>([^<>]{0,500})</${name}>`).exec(document)?.[1] ?? '';
  return refusalOf(word('Code'), word('Message'));
}

/** As the storage answers an address that has run out. */
export const expiredRefusal = () => refusalOf('AccessDenied', 'Request has expired');

function refusalOf(code: string, message: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${message}</Message></Error>`;
}
