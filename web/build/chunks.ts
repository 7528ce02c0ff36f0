import type { Rolldown } from 'vite';

type Graph = { getModuleInfo: (id: string) => Pick<Rolldown.ModuleInfo, 'importedIds' | 'code'> | null };

type Chunk = 'kit' | 'member-kit' | 'page' | 'shared' | 'home';

function reachedFrom(entries: readonly string[], graph: Graph): Set<string> {
  const reached = new Set<string>();
  const waiting = [...entries];
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    // Packages' lists of all they have would lead to what nobody uses.
    if (reached.has(id) || id.includes('/node_modules/')) continue;
    reached.add(id);
    waiting.push(...(graph.getModuleInfo(id)?.importedIds ?? []));
  }
  return reached;
}

const icon = /[\\/]lucide-react[\\/].*[\\/]icons[\\/]([\w-]+)[.]mjs$/;

/** Whether one of these modules draws the icon: the package's list of icons, not the module, imports its file. */
function isIconOf(modules: ReadonlySet<string>, graph: Graph): (id: string) => boolean {
  const code = [...modules]
    .map((id) => graph.getModuleInfo(id)?.code ?? '')
    .filter((text) => /lucide-react/.test(text));
  const words = new Set(code.flatMap((text) => text.match(/\b[A-Z]\w+/g) ?? []));
  return (id) => {
    const [, name] = icon.exec(id) ?? [];
    return (
      name !== undefined && words.has(name.replaceAll(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase()))
    );
  };
}

/**
 * Chunks of our own code, by what needs them: on a slow network every file costs a round trip, so what a member's first
 * view needs travels in one. What the page itself needs, and what the screens before it need too, stays apart. So do the
 * small parts that more than one screen draws with: those before the sign-in do not wait for those behind it.
 * @param src folder of the app's sources
 * @param isSmallPart by the module's id
 */
export function ownChunks(
  src: string,
  isSmallPart: (id: string) => boolean,
): { name: (id: string, graph: Graph) => string | null; minShareCount?: number }[] {
  const screen = (path: string) => `${src}/routes/${path}.tsx?tsr-split=component`;
  let isIn: Record<Chunk, (id: string) => boolean> | undefined;
  const divide = (graph: Graph): Record<Chunk, (id: string) => boolean> => {
    const page = reachedFrom([`${src}/main.tsx`], graph);
    const before = reachedFrom([screen('login'), screen('signup')], graph);
    const home = reachedFrom([screen('_member'), screen('_member/dashboard')], graph);
    const early = new Set([...page, ...before]);
    const isEarlyIcon = isIconOf(early, graph);
    const isEarly = (id: string) => (icon.test(id) ? isEarlyIcon(id) : id.includes('/node_modules/') || early.has(id));
    return {
      kit: (id) => isSmallPart(id) && isEarly(id),
      'member-kit': (id) => isSmallPart(id) && !isEarly(id),
      page: (id) => page.has(id),
      shared: (id) => home.has(id) && before.has(id),
      home: (id) => home.has(id),
    };
  };
  // In this order: a group takes what its modules import along, but not from the groups before it. What the page itself
  // imports counts as shared by nobody, so the page comes before the parts of members' screens.
  return (['kit', 'page', 'member-kit', 'shared', 'home'] as const).map((name) => ({
    name: (id, graph) => ((isIn ??= divide(graph))[name](id) ? name : null),
    ...(name.endsWith('kit') ? { minShareCount: 2 } : {}),
  }));
}
