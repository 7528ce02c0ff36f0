/** Of stacks in own code alone: the maps of packages are large, and were read at every start. */
const ownSourceMaps =
  "import{setSourceMapsSupport}from'node:module';setSourceMapsSupport(true,{nodeModules:false,generatedCode:false})";

/** How Node runs each process of the product, here and in images (design/load.md). */
export const nodeFlags: readonly string[] = [
  `--import=data:text/javascript,${ownSourceMaps}`,
  // Megabytes of what has just been made; twice as much is a third of the memory of an idle process.
  '--max-semi-space-size=8',
  // So that an idle process can give memory back.
  '--expose-gc',
];

/** Else each thread keeps a heap of its own. */
export const nodeVariables = { MALLOC_ARENA_MAX: '2' } as const;
