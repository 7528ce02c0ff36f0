// The runtime spells these as they were called before IANA renamed them.
const renamed: Readonly<Record<string, string>> = {
  'Africa/Asmera': 'Africa/Asmara',
  'America/Buenos_Aires': 'America/Argentina/Buenos_Aires',
  'America/Catamarca': 'America/Argentina/Catamarca',
  'America/Coral_Harbour': 'America/Atikokan',
  'America/Cordoba': 'America/Argentina/Cordoba',
  'America/Godthab': 'America/Nuuk',
  'America/Indianapolis': 'America/Indiana/Indianapolis',
  'America/Jujuy': 'America/Argentina/Jujuy',
  'America/Louisville': 'America/Kentucky/Louisville',
  'America/Mendoza': 'America/Argentina/Mendoza',
  'Asia/Calcutta': 'Asia/Kolkata',
  'Asia/Katmandu': 'Asia/Kathmandu',
  'Asia/Rangoon': 'Asia/Yangon',
  'Asia/Saigon': 'Asia/Ho_Chi_Minh',
  'Atlantic/Faeroe': 'Atlantic/Faroe',
  'Europe/Kiev': 'Europe/Kyiv',
  'Pacific/Enderbury': 'Pacific/Kanton',
  'Pacific/Ponape': 'Pacific/Pohnpei',
  'Pacific/Truk': 'Pacific/Chuuk',
};

const hours = (sign: string, most: number) => Array.from({ length: most }, (_, nth) => `Etc/GMT${sign}${nth + 1}`);

export const timeZoneNames: ReadonlySet<string> = new Set(
  [
    ...Intl.supportedValuesOf('timeZone').map((name) => renamed[name] ?? name),
    ...hours('-', 14),
    ...hours('+', 12),
    'UTC',
  ].toSorted(),
);

// Asking the runtime costs as much as a database statement, and old names come with every old fact.
const mostAliases = 500;
const longestName = 64;
const aliases = new Map<string, string | undefined>();

/** Resolves aliases (US/Pacific) and spellings (europe/berlin); undefined for what IANA does not name. */
export function canonicalTimeZone(zone: string): string | undefined {
  // Stryker disable all: all of this only spares the runtime a question to which it has the same answer.
  if (timeZoneNames.has(zone)) return zone;
  if (zone.length > longestName) return undefined;
  if (aliases.has(zone)) return aliases.get(zone);
  if (aliases.size >= mostAliases) aliases.clear();
  // Stryker restore all
  const name = askRuntime(zone);
  // Stryker disable next-line CallExpression: without it the runtime is asked again and says the same.
  aliases.set(zone, name);
  return name;
}

function askRuntime(zone: string): string | undefined {
  try {
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions();
    const name = renamed[timeZone] ?? timeZone;
    return timeZoneNames.has(name) ? name : undefined;
    // Stryker disable next-line BlockStatement: a function that ends answers undefined, too.
  } catch {
    return undefined;
  }
}
