// SPDX-License-Identifier: Apache-2.0
// A built plugin is an AMD module: it calls `define` with the names of what it wants from Grafana, and is handed it.

/** What a plugin may ask for, by the name that it asks with. */
export type Modules = Readonly<Record<string, unknown>>;

type Factory = (...dependencies: unknown[]) => unknown;

interface Definition {
  dependencies: string[];
  factory: Factory;
}

declare global {
  interface Window {
    define?: (...definition: unknown[]) => void;
  }
}

/** Runs the AMD module at `url` with what it asks for, and returns what it exports. */
export async function importAmd(
  url: string,
  modules: Modules,
  run: (uri: string) => Promise<void> = runScript
): Promise<unknown> {
  const uri = new URL(url, document.baseURI).href;
  let definition: Definition | undefined;
  // Only while the script runs: other scripts of the page could take `define` for a reason to use it.
  window.define = (...parts) => {
    definition = readDefinition(parts);
  };
  try {
    await run(uri);
  } finally {
    delete window.define;
  }
  if (!definition) {
    throw new Error(`${uri} is not an AMD module, it never called define(): build the plugin with \`npm run build\``);
  }
  return instantiate(definition, uri, modules);
}

function instantiate({ dependencies, factory }: Definition, uri: string, modules: Modules): unknown {
  const exported = {};
  // `module` tells a module its own address, from which it loads the rest of itself.
  const own: Modules = { module: { id: uri, uri }, exports: exported };
  const missing = dependencies.filter((name) => !(name in own) && !(name in modules));
  if (missing.length > 0) {
    throw new Error(`${uri} asks for ${missing.join(', ')}, which this host does not have: add it to host/provided.ts`);
  }
  return factory(...dependencies.map((name) => own[name] ?? modules[name])) ?? exported;
}

/** The forms of define: (name?, dependencies?, factory). */
function readDefinition(parts: unknown[]): Definition {
  const factory = parts[parts.length - 1];
  const dependencies = parts[parts.length - 2];
  return {
    dependencies: Array.isArray(dependencies) ? dependencies : [],
    factory: typeof factory === 'function' ? (factory as Factory) : () => factory,
  };
}

function runScript(uri: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.src = uri;
    script.onload = () => resolve();
    script.onerror = () => reject(new Error(`cannot load ${uri}: build the plugin with \`npm run build\``));
    document.head.append(script);
  });
}
