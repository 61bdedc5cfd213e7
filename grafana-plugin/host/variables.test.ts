// SPDX-License-Identifier: Apache-2.0
import { Dashboard, Variable } from './dashboard';
import { fakeServer, success, vector } from './fakeServer';
import { resolveVariables } from './variables';

const app: Variable = { name: 'app', type: 'query', label: 'Application', query: { query: 'label_values(up, app)' } };
const tier: Variable = {
  name: 'tier',
  type: 'query',
  query: 'label_values(up{app=~"$app"}, tier)',
  multi: true,
  includeAll: true,
  allValue: '.+',
  current: { value: '$__all' },
};

function resolve(variables: Variable[], wanted: Record<string, string[]> = {}) {
  const { server, questions } = fakeServer(({ path }) =>
    success(path.includes('/app/') ? ['shop', 'board'] : ['tomcat', 'httpd'])
  );
  const dashboard = { title: '', panels: [], templating: { list: variables } } as Dashboard;
  return resolveVariables(dashboard, server, { from: 0, to: 1000 }, wanted).then((choices) => ({ choices, questions }));
}

describe('resolveVariables', () => {
  it('chooses the first value, or all where the dashboard says so', async () => {
    const { choices } = await resolve([app, tier]);
    expect(choices.get('app')).toMatchObject({
      label: 'Application',
      options: ['board', 'shop'],
      values: ['board'],
      all: false,
    });
    expect(choices.get('tier')).toMatchObject({
      label: 'tier',
      values: ['httpd', 'tomcat'],
      all: true,
      text: 'All',
      allValue: '.+',
    });
  });

  it('fills earlier choices into later queries', async () => {
    const { questions } = await resolve([app, tier], { app: ['shop'] });
    expect(questions[1].form.get('match[]')).toBe('up{app=~"shop"}');
  });

  it('keeps what was asked for, though it is not there now', async () => {
    const { choices } = await resolve([app, tier], { tier: ['tomcat', 'gone'] });
    expect(choices.get('tier')).toMatchObject({ values: ['tomcat', 'gone'], all: false, allValue: undefined });
  });

  it('takes one value where the variable has one', async () => {
    const { choices } = await resolve([app], { app: ['shop', 'board'] });
    expect(choices.get('app')!.values).toEqual(['shop']);
  });

  it('knows variables with fixed values, and leaves the data source out', async () => {
    const { choices } = await resolve([
      { name: 'datasource', type: 'datasource', query: 'prometheus' },
      { name: 'width', type: 'custom', query: '1, 2', current: { value: '2' } },
      { name: 'fixed', type: 'constant', query: 'x' },
    ]);
    expect([...choices].map(([name, { values }]) => [name, values])).toEqual([
      ['width', ['2']],
      ['fixed', ['x']],
    ]);
  });

  it('takes values out of the answer to an expression, in its order where the dashboard says so', async () => {
    const variable = {
      name: 'app',
      type: 'query',
      query: 'query_result(sort_desc(sum by (app) (max_over_time(up[$__range]))))',
      regex: '/app="([^"]*)"/',
      sort: 0,
    };
    const { server, questions } = fakeServer(() => vector([{ app: 'shop' }, 5], [{ app: 'board' }, 3], [{}, 1]));
    const dashboard = { title: '', panels: [], templating: { list: [variable] } } as Dashboard;
    const range = { from: 1000, to: 61000 };
    const options = async (of: Variable) => {
      dashboard.templating!.list = [of];
      return (await resolveVariables(dashboard, server, range, {})).get('app')!.options;
    };
    expect(await options(variable)).toEqual(['shop', 'board']);
    expect(questions[0].form.get('query')).toBe('sort_desc(sum by (app) (max_over_time(up[60s])))');
    expect(questions[0].form.get('time')).toBe('61');
    expect(await options({ ...variable, sort: 1 })).toEqual(['board', 'shop']);
    expect(await options({ ...variable, regex: '/[a-z]+=/' })).toEqual(['app=']);
  });

  it.each([
    [{ name: 'a', type: 'query', query: 'metrics(up)' }, 'only knows label_values'],
    [{ name: 'b', type: 'adhoc' }, 'does not know the type adhoc'],
  ])('names a variable that it does not understand: %j', async (variable, message) => {
    await expect(resolve([variable])).rejects.toThrow(message);
  });
});
