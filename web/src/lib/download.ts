import { sessionFetch } from './http.ts';

/** Fetches a file with the session's token and hands it to the browser as a download. @param path with its query */
export async function download(path: string, type: string, name: string): Promise<void> {
  const address = new URL(path, location.origin);
  const answer = await sessionFetch(new Request(address, { headers: { accept: type }, cache: 'no-store' }));
  const href = URL.createObjectURL(await answer.blob());
  const link = Object.assign(document.createElement('a'), { href, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  URL.revokeObjectURL(href);
}
