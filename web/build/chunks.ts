import type { Rolldown } from 'vite';

type Graph = { getModuleInfo: (id: string) => Pick<Rolldown.ModuleInfo, 'importedIds'> | null };

type Chunk = 'page' | 'shared' | 'home';

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

/**
 * Chunks of our own code, by what needs them: on a slow network every file costs a round trip, so what a member's first
 * view needs travels in one. What the page itself needs, and what the screens before it need too, stays apart.
 * @param src folder of the app's sources
 */
export function ownChunks(src: string): { name: (id: string, graph: Graph) => string | null }[] {
  const screen = (path: string) => `${src}/routes/${path}.tsx?tsr-split=component`;
  let chunks: Record<Chunk, ReadonlySet<string>> | undefined;
  const divide = (graph: Graph): Record<Chunk, ReadonlySet<string>> => {
    const page = reachedFrom([`${src}/main.tsx`], graph);
    const before = reachedFrom([screen('login'), screen('signup')], graph);
    const all = [...reachedFrom([screen('_member'), screen('_member/dashboard')], graph)];
    const home = all.filter((id) => !page.has(id));
    const shared = home.filter((id) => before.has(id));
    return { page, shared: new Set(shared), home: new Set(home.filter((id) => !before.has(id))) };
  };
  // One group each, in this order: a group takes what its modules import along, but not from the groups before it.
  return (['page', 'shared', 'home'] as const).map((name) => ({
    name: (id, graph) => ((chunks ??= divide(graph))[name].has(id) ? name : null),
  }));
}
