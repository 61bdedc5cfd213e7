// SPDX-License-Identifier: Apache-2.0
import { importAmd } from './amd';

/** Stands for a script that calls `define` with this. */
const scriptOf =
  (...definition: unknown[]) =>
  async () =>
    window.define!(...definition);

describe('importAmd', () => {
  const react = { version: '19' };

  it('hands over what is asked for, in that order', async () => {
    const run = scriptOf(['react', 'rxjs'], (...given: unknown[]) => ({ given }));
    expect(await importAmd('p/module.js', { rxjs: 'rx', react }, run)).toEqual({ given: [react, 'rx'] });
  });

  it('takes a module with a name, and one that exports through `exports`', async () => {
    const factory = (exports: Record<string, unknown>) => {
      exports.plugin = 1;
    };
    expect(await importAmd('p/module.js', {}, scriptOf('name', ['exports'], factory))).toEqual({ plugin: 1 });
  });

  it('takes a value instead of a factory', async () => {
    expect(await importAmd('p/module.js', {}, scriptOf({ plugin: 2 }))).toEqual({ plugin: 2 });
  });

  it('tells the module its address, from which it loads the rest of itself', async () => {
    const run = scriptOf(['module'], (module: { uri: string }) => module.uri);
    expect(await importAmd('plugin/module.js', {}, run)).toBe('http://localhost/plugin/module.js');
  });

  it('names what it cannot give', async () => {
    const run = scriptOf(['react', 'd3', 'jquery'], () => 0);
    await expect(importAmd('p/module.js', { react }, run)).rejects.toThrow(/asks for d3, jquery.*host\/provided\.ts/);
  });

  it('says so when the script is no AMD module', async () => {
    await expect(importAmd('p/module.js', {}, async () => undefined)).rejects.toThrow(/not an AMD module/);
  });

  it('leaves no define behind, not even after a failure', async () => {
    const run = async () => {
      throw new Error('cannot load');
    };
    await expect(importAmd('p/module.js', {}, run)).rejects.toThrow('cannot load');
    expect(window.define).toBeUndefined();
  });

  it('loads scripts by element, and says what to do when that fails', async () => {
    const loading = importAmd('p/none.js', {});
    const script = document.querySelector<HTMLScriptElement>('script[src$="p/none.js"]')!;
    script.dispatchEvent(new Event('error'));
    await expect(loading).rejects.toThrow(
      'cannot load http://localhost/p/none.js: build the plugin with `npm run build`'
    );
  });
});
