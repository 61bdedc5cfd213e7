// SPDX-License-Identifier: Apache-2.0

/**
 * What a tier's time is charged to, by the value of the label cause, and what to do first where it is the bottleneck.
 * The page takes both from the dashboard. The alert and nstartool use the same names.
 */
export const CAUSES: Record<string, { name: string; advice?: string }> = {
  work: { name: 'usual work' },
  garbage_collection: {
    name: 'garbage collection',
    advice:
      'Stop the pauses of this tier: use a collector with short pauses (G1, ZGC), a larger heap, or create less ' +
      'garbage. More capacity gains little.',
  },
  stopped: {
    name: 'something stops it',
    advice:
      'Find out what stops this tier: a CPU quota, another load on its processors, a disk, a lock. More capacity ' +
      'gains little.',
  },
  noisy_neighbour: {
    name: 'noisy neighbour',
    advice:
      "Move or limit the other programs on this tier's processors, or give the tier processors of its own. More " +
      'connections or workers gain nothing.',
  },
  throttled: {
    name: 'a CPU quota',
    advice:
      'Raise the CPU limit of this tier: its quota keeps it from processors that are free. More connections or ' +
      'workers gain nothing.',
  },
  disk: {
    name: 'its disk',
    advice:
      'Give this tier a faster disk or one with less other work, more memory for its data, or fewer writes. More ' +
      'processors, connections or workers gain nothing.',
  },
  network: {
    name: 'the network',
    advice:
      'Find out where segments between this tier and its callers get lost: interfaces, switches, a firewall, a full ' +
      'link. More capacity, connections or workers gain nothing.',
  },
  demand: {
    name: 'its own work',
    advice:
      'Give this tier less work per request (queries, indexes, caches) or more capacity. If it takes turns with ' +
      'another tier, do the same for that tier. More connections or workers in front of it gain nothing.',
  },
  burst: {
    name: 'a burst of load',
    advice:
      'The load passes and nothing is broken: spread the load over time, or keep enough capacity in this tier for ' +
      'its peak.',
  },
  soft_resource: {
    name: 'a pool or worker limit',
    advice:
      'Raise the limit of this tier, connections or workers: requests wait for a place while the processors and ' +
      'the tier behind have time.',
  },
  errors: {
    name: 'it answers with errors',
    advice:
      'Read these errors in the log of this tier, and find out what was changed. More capacity gains nothing: the ' +
      'errors come quickly, and no request waits for them.',
  },
  cache_lost: {
    name: 'its cache is lost',
    advice:
      'Find out why this tier does not find in its cache what it looks for: it was emptied, is too small, its ' +
      'entries expire at once, or a new version uses other keys. More capacity only helps to bear the calls instead.',
  },
  slow: {
    name: 'slow for a reason that is not measured',
    advice:
      'If the tier has no exporter, run one on its host: it shows why requests wait for the tier. If it has one, its ' +
      'requests sleep for several times as long as before: a thread dump or its log shows what they wait for.',
  },
  unknown: {
    name: 'unknown',
    advice: 'Requests wait in this tier, and Nstar does not know why: look at its windows below.',
  },
};
