// SPDX-License-Identifier: Apache-2.0
package bboard;

import java.util.zip.Adler32;

/** Faults on request, so that a verdict can be held against what is known to be true. All are off in the demo. */
final class Faults {
    private static final int HOLD = Integer.getInteger("bboard.hold.ms", 0);
    private static final int OUTSIDE = Integer.getInteger("bboard.outside.ms", 0);
    private static final int COMPUTE = Integer.getInteger("bboard.compute.mb", 0);
    private static Thread collector;

    private Faults() {}

    /** Keeps the page's connection without using it, as a page does that calls another service meanwhile. */
    static void hold() {
        sleep(HOLD);
    }

    /** Waits for something that is no tier, without a connection. */
    static void outside() {
        sleep(OUTSIDE);
    }

    /** Computes for as long as it takes to sum up so many megabytes. */
    static long compute() {
        Adler32 sum = new Adler32();
        byte[] block = new byte[1 << 16];
        for (int i = 0; i < COMPUTE * 16; i++) {
            sum.update(block);
        }
        return sum.getValue();
    }

    /** Asks for full collections that take the given share of the time together, however long one of them is. */
    static synchronized void collect() {
        double share = Double.parseDouble(System.getProperty("bboard.collect.share", "0"));
        if (share <= 0 || collector != null) {
            return;
        }
        collector = new Thread(() -> {
            while (true) {
                long begin = System.nanoTime();
                System.gc();
                double took = (System.nanoTime() - begin) / 1e6;
                sleep((long) (took * (1 / share - 1)));
            }
        }, "collect");
        collector.setDaemon(true);
        collector.start();
    }

    private static void sleep(long milliseconds) {
        if (milliseconds <= 0) {
            return;
        }
        try {
            Thread.sleep(milliseconds);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
