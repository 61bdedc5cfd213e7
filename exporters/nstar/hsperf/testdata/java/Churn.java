// SPDX-License-Identifier: Apache-2.0

/** Keeps a number of objects alive and replaces them for a while, so that a collector has work. */
public class Churn {
    static final class Node {
        Node next;
        long[] payload = new long[4];
    }

    public static void main(String[] args) throws Exception {
        int live = Integer.parseInt(args[0]); // thousands of chains of 10 objects
        long end = System.nanoTime() + Long.parseLong(args[1]) * 1_000_000L;
        Node[] heads = new Node[live * 1000];
        for (int i = 0; i < heads.length; i++) {
            heads[i] = chain();
        }
        for (int i = 0; System.nanoTime() < end; i++) {
            heads[i % heads.length] = chain();
            if (i % 4000 == 0) {
                Thread.sleep(1);
            }
        }
    }

    static Node chain() {
        Node head = null;
        for (int i = 0; i < 10; i++) {
            Node n = new Node();
            n.next = head;
            head = n;
        }
        return head;
    }
}
