import { companionWords, type LinkedFile } from '@caravan/contracts/http/companion';
import { mostPhotoBytes, photoTypes, photoTypeSchema, photoWords } from '@caravan/contracts/http/photos';
import { isOutsideHost, isPublicAddress } from '@caravan/service-kit/http/network';
import { Invalid } from '@caravan/kernel/problem';
import { tooLarge } from './storage-call.ts';

/** Which addresses are fetched from. */
export type LinkRules = {
  readonly protocols: readonly string[];
  /** 443, that of https. */
  readonly isUsualPort: boolean;
  /** Undefined: whatever a name leads to. */
  readonly isOutside: ((address: string) => boolean) | undefined;
  readonly nameServers?: readonly string[];
};

/** Of the setting `PHOTO_LINKS`. */
export const linkRules: Readonly<Record<'off' | 'public' | 'any', LinkRules | undefined>> = {
  off: undefined,
  public: { protocols: ['https:'], isUsualPort: true, isOutside: isPublicAddress },
  any: { protocols: ['https:', 'http:'], isUsualPort: false, isOutside: undefined },
};

/** What a name leads to is looked at when it is asked. Throws `Invalid`. */
export function linkOf(text: string, { protocols, isUsualPort, isOutside }: LinkRules): URL {
  if (!URL.canParse(text)) throw notALink();
  const link = new URL(text);
  const { protocol, hostname, port, username, password } = link;
  if (!protocols.includes(protocol) || username !== '' || password !== '') throw notALink();
  if (isOutside && !isOutsideHost(hostname, isOutside)) throw inside();
  if (isUsualPort && port !== '') throw inside();
  link.hash = '';
  return link;
}

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** What an answer says of itself; what it is its content tells later. Throws `Rejected`. */
export function linkedFileOf(link: URL, headers: Headers): LinkedFile {
  const type = String(headers['content-type'] ?? '')
    .replace(/;.*$/s, '')
    .trim()
    .toLowerCase();
  if (!(photoTypes as readonly string[]).includes(type)) throw noPhoto(type);
  // Unpacked it could be of any size.
  if (!['', 'identity'].includes(String(headers['content-encoding'] ?? ''))) throw unreachable();
  const length = headers['content-length'];
  const size = length === undefined ? null : Number(length);
  if (size !== null && size > mostPhotoBytes) throw tooLarge();
  return { name: nameOf(link), type, size };
}

/** Shown to who named the address, and to nobody else. */
function nameOf({ pathname }: URL): string {
  const last = pathname.slice(pathname.lastIndexOf('/') + 1);
  try {
    return decodeURIComponent(last).slice(0, 100) || 'photo';
  } catch {
    return last.slice(0, 100);
  }
}

const refusalOf = (code: string, message: string) => new Invalid([{ path: 'url', message }], code);
const notALink = () => refusalOf('companion/no-link', companionWords.link);
const inside = () => refusalOf('companion/link-inside', companionWords.linkInside);

function noPhoto(type: string): Invalid {
  const words = photoTypeSchema.safeParse(type).error?.issues[0]?.message;
  return refusalOf('companion/link-no-photo', words ?? photoWords.type);
}

/** One answer for what is not there, refuses, and lies inside: who asks learns nothing of a network (S30). */
export const unreachable = () => refusalOf('companion/link-unreachable', companionWords.linkUnreachable);
