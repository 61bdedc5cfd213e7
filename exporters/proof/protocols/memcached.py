# SPDX-License-Identifier: Apache-2.0
"""Clients of Memcached: memcached.py LOAD PORT. Prints how many commands with an answer they sent."""
import socket
import sys
import threading

from pymemcache.client.base import Client

PORT = int(sys.argv[2])
asked = []


def client(n):
    c = Client(("127.0.0.1", PORT), timeout=10)
    count = 0
    for i in range(60):
        key = f"key-{n}-{i}"
        c.set(key, "x" * (20_000 if i % 20 == 0 else 100), noreply=i % 2 == 0)
        c.get(key)
        c.get_many([key, "missing", key + "other"])
        c.delete(key, noreply=True)
        count += 2 + i % 2
    c.close()
    asked.append(count)


def ahead(n):
    """Many commands ahead of their answers, in one write."""
    c = socket.create_connection(("127.0.0.1", PORT))
    answers = c.makefile("rb")
    count = 0
    for i in range(50):
        out, ends = b"", 0
        for j in range(20):
            size = 3000 if j == 7 else 50
            out += b"set a%d 0 0 %d%s\r\n%s\r\n" % (j, size, b" noreply" if j % 3 == 0 else b"", b"v" * size)
            ends += 0 if j % 3 == 0 else 1
            out += b"get a%d\r\nmg a%d v\r\n" % (j, j)
            ends += 2
        c.sendall(out)
        count += ends
        while ends:
            line = answers.readline()
            if line.startswith((b"VALUE", b"VA ")):
                answers.read(int(line.split()[3 if line.startswith(b"VALUE") else 1]) + 2)
            if not line.startswith(b"VALUE"):
                ends -= 1
    c.close()
    asked.append(count)


threads = [threading.Thread(target=globals()[sys.argv[1]], args=(n,)) for n in range(8)]
for t in threads:
    t.start()
for t in threads:
    t.join()
print("commands", sum(asked))
