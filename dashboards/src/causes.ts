// SPDX-License-Identifier: Apache-2.0

/**
 * What a tier's time is charged to, by the value of the label cause, and what to do first where it is the bottleneck.
 * The page takes both from the dashboard.
 */
export const CAUSES: Record<string, { name: string; advice?: string }> = {
  work: { name: 'work' },
  garbage_collection: {
    name: 'garbage collection',
    advice:
      'Stop the pauses of this tier: a collector with short ones (G1, ZGC), a roomy heap, less garbage. More ' +
      'capacity gains little.',
  },
  stopped: {
    name: 'stops',
    advice:
      'Find out what stops this tier: a CPU quota, another load on its processors, a disk, a lock. More capacity ' +
      'gains little.',
  },
  noisy_neighbour: {
    name: 'a noisy neighbour',
    advice:
      "Move or limit what else runs on this tier's processors, or give the tier some of its own. More places gain " +
      'nothing.',
  },
  throttled: {
    name: 'a CPU quota',
    advice:
      'Raise the CPU limit of this tier: its quota keeps it from processors that are free. More places gain nothing.',
  },
  disk: {
    name: 'its disk',
    advice:
      'Give this tier a faster or a quieter disk, more memory for its data, or fewer writes. More processors and ' +
      'more places gain nothing.',
  },
  network: {
    name: 'the network',
    advice:
      'Find out where segments between this tier and its callers get lost: interfaces, switches, a firewall, a full ' +
      'link. More capacity and more places gain nothing.',
  },
  demand: {
    name: 'more work than it can do',
    advice:
      'Give this tier less work per request (queries, indexes, caches) or more capacity, and where it takes turns ' +
      'with another tier, that one too. More places in front of it gain nothing.',
  },
  burst: {
    name: 'a burst of load',
    advice: 'The load passes and nothing is broken: smooth it, or keep capacity in this tier for its peak.',
  },
  soft_resource: {
    name: 'too few places',
    advice:
      'Raise the limit of this tier, connections or workers: requests wait for a place while processors and the ' +
      'tier behind have room.',
  },
  slow: {
    name: 'slow, for a reason that is not measured',
    advice:
      'Where it has no exporter, one beside it would tell why requests wait for it. Where it has, its requests sleep ' +
      'for several times as long as before: a thread dump or its log tells what they wait for.',
  },
  unknown: {
    name: 'not known',
    advice: 'Requests wait in this tier and it can not be told why: look at its windows below.',
  },
};
