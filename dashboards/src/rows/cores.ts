// SPDX-License-Identifier: Apache-2.0
import type { Row } from '../layout.js';
import { DOCS } from '../links.js';
import { cores } from '../queries.js';
import { line } from '../target.js';
import { timeseries } from '../timeseries.js';

// The rules record every 15 s.
const RECORDED = '15s';

const server = '{{tier}} {{instance}}';

const used = timeseries('Processors used', 'short', [line('used', cores.used, server, RECORDED)])
  .min(0)
  .description(
    'Processors that each server of a tier uses on average, over 5 minutes. Below a quarter of one it hardly matters ' +
      'where it runs.',
  );

const spread = timeseries('Outside of the first cache', 'percentunit', [line('spread', cores.spread, server, RECORDED)])
  .min(0)
  .max(1)
  .description(
    `Part of a tier's processor time outside of the last-level cache where it computes most. 0: it stays on one ` +
      `cache. 50 %: half of it on each of two, and each half finds less data in its cache. [What a domain ` +
      `is](${DOCS}/metrics.md)`,
  );

const migrations = timeseries('Moves between processors', 'ops', [
  line('migrations', cores.migrations, `${server} across a {{across}}`, RECORDED),
])
  .min(0)
  .description(
    'How often threads of a tier continue on another processor: of the same cache (core), or of another cache ' +
      '(domain), which does not hold their data.',
  );

const missesPerRequest = timeseries('Cache misses per request', 'short', [
  line('misses', cores.missesPerRequest, '{{tier}}', RECORDED),
])
  .min(0)
  .noValue('No processor counts them (usual in virtual machines)')
  .description(
    'Last-level cache misses of a tier per request that it completes. More of them at the same load: its data ' +
      'does not fit any more, it runs on more caches than before, or a neighbour uses the same cache.',
  );

const misses = timeseries('Cache misses by core', 'ops', [
  line('misses', cores.misses, '{{instance}} {{cpu}}', RECORDED),
])
  .min(0)
  .noValue('No processor counts them (usual in virtual machines)')
  .description('Last-level cache misses per second, of whatever runs there: the ten processors that have most.');

const concentration = timeseries('Waiting for the disk, on the busiest core', 'percentunit', [
  line('tier', cores.tierDisk, server, RECORDED),
  line('host', cores.hostDisk, 'host {{instance}}', RECORDED),
])
  .min(0)
  .max(1)
  .noValue('Hardly anything waits for a disk')
  .description(
    `Part of the waiting for I/O that is on the core with most of it: of a tier's threads, and of each host that ` +
      `node_exporter reports. 100 %: one core gets all interrupts of the disk, or the server has one thread. ` +
      `An even share is one divided by the number of cores.`,
  );

const turns = timeseries('Processor against disk', 'none', [line('turns', cores.turns, server, RECORDED)])
  .min(-1)
  .max(1)
  .decimals(2)
  .noValue('Hardly anything waits for a disk')
  .description(
    "Correlation of a tier's processor time with its waiting for the disk, at 100 ms over 12 s. Near -1: the two " +
      'take turns, so neither looks busy while both hold the tier back.',
  );

const colocated = timeseries('Against other applications on the host', 'none', [
  line('colocated', cores.colocated, '{{of}}, processor of {{neighbour}} {{instance}}', RECORDED),
])
  .min(-1)
  .max(1)
  .decimals(2)
  .noValue('No other application that was asked uses the same processors')
  .description(
    'How this application follows the processor time of another one on the same processors, at 100 ms: correlations, ' +
      'the mean of a minute, of the tier in which it shows most. Processor near -1: the two take the processor from ' +
      'each other. Queue or time near 1: requests queue here, or take longer, while the other computes. With this ' +
      "application's own name it is the tier's own processor time. " +
      `[How it is measured](${DOCS}/metrics.md)`,
  );

export const coresAndCaches: Row = {
  title: 'Cores and caches',
  collapsed: true,
  tiles: [
    { panel: used, w: 8, h: 7 },
    { panel: spread, w: 8, h: 7 },
    { panel: migrations, w: 8, h: 7 },
    { panel: missesPerRequest, w: 6, h: 7 },
    { panel: misses, w: 6, h: 7 },
    { panel: concentration, w: 6, h: 7 },
    { panel: turns, w: 6, h: 7 },
    { panel: colocated, w: 24, h: 7 },
  ],
};
