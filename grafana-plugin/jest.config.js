// SPDX-License-Identifier: Apache-2.0
// Times in tests are UTC wherever they run.
process.env.TZ = 'UTC';

const scaffold = require('./.config/jest.config');
const { grafanaESModules, nodeModulesToTransform } = require('./.config/jest/utils');

const [[, swc]] = Object.entries(scaffold.transform);

module.exports = {
  ...scaffold,
  testMatch: [...scaffold.testMatch, '<rootDir>/{host,page}/*.test.{ts,tsx}'],
  // Packages of @grafana/ui that ship as ES modules only, some of them as .mjs.
  transform: { '^.+\\.m?[tj]sx?$': swc },
  transformIgnorePatterns: [nodeModulesToTransform([...grafanaESModules, '@react-hookz', '@ver0'])],
};
