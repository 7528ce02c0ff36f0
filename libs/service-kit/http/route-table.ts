type Route = { readonly pattern: RegExp; readonly methods: Set<string> };

export class RouteTable {
  private readonly routes = new Map<string, Route>();

  add(method: string | readonly string[], url: string): void {
    const route = this.routes.get(url) ?? { pattern: patternOf(url), methods: new Set<string>() };
    for (const name of [method].flat()) route.methods.add(name);
    this.routes.set(url, route);
  }

  methodsOf(path: string): string[] {
    const methods = [...this.routes.values()].filter(({ pattern }) => pattern.test(path));
    return [...new Set(methods.flatMap((route) => [...route.methods]))].sort();
  }
}

function patternOf(url: string): RegExp {
  const parts = url.split('/').map((part) => {
    if (part.startsWith(':')) return '[^/]+';
    return part === '*' ? '.*' : part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  });
  return new RegExp(`^${parts.join('/')}$`);
}
