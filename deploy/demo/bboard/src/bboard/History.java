// SPDX-License-Identifier: Apache-2.0
package bboard;

import java.util.HashMap;
import java.util.Map;

/**
 * The pages shown last, word by word, for a "what readers look at" list.
 *
 * <p>This is the application's live set, and the reason for the demo's long
 * collections: many small objects, all reachable, and the oldest replaced by
 * every request. A collector that stops the world to mark and compact them
 * needs about 4 ms per megabyte.
 */
final class History {
    private static final int ENTRY_BYTES = 4096;
    private static final History INSTANCE = new History(Integer.getInteger("bboard.live.mb", 44));

    private final Object[] pages;
    private int next;

    private History(int megabytes) {
        pages = new Object[Math.max(1, megabytes * 1024 * 1024 / ENTRY_BYTES)];
        // Full from the start, so that the first minute behaves like the tenth.
        for (int i = 0; i < pages.length; i++) {
            pages[i] = entry("warm", i);
        }
    }

    static History get() {
        return INSTANCE;
    }

    /** Remembers one view of a page and forgets the oldest. */
    void add(String page, int id) {
        Object entry = entry(page, id);
        synchronized (this) {
            pages[next] = entry;
            next = (next + 1) % pages.length;
        }
    }

    /** How often each page is in the history's most recent part. */
    Map<String, Integer> recent(int count) {
        Map<String, Integer> views = new HashMap<>();
        synchronized (this) {
            for (int i = 1; i <= Math.min(count, pages.length); i++) {
                Node node = (Node) pages[Math.floorMod(next - i, pages.length)];
                views.merge(node.word, 1, Integer::sum);
            }
        }
        return views;
    }

    // A list of nodes of about 48 bytes with their text: what marking is slow at.
    private static Object entry(String page, int id) {
        Node head = null;
        for (int used = 0; used < ENTRY_BYTES; used += 88) {
            head = new Node(new String(page.toCharArray()), id, head);
        }
        return head;
    }

    private static final class Node {
        final String word;
        final long id;
        final Node rest;

        Node(String word, long id, Node rest) {
            this.word = word;
            this.id = id;
            this.rest = rest;
        }
    }
}
