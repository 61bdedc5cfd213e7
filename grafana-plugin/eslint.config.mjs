// SPDX-License-Identifier: Apache-2.0
import { defineConfig } from 'eslint/config';
import scaffold from './.config/eslint.config.mjs';

export default defineConfig([{ ignores: ['**/node_modules/', '**/dist/', 'coverage/'] }, ...scaffold]);
