# SPDX-License-Identifier: Apache-2.0
"""Clients of Redis that wait for one another: waits.py PORT."""
import sys
import threading
import time

import redis

JOBS = 40


def connect():
    return redis.Redis(port=int(sys.argv[1]), socket_timeout=10)


def worker(take):
    r = connect()
    for i in range(JOBS):
        if take(r):
            r.incr("done")


takes = [
    lambda r: r.blpop("left", 5),
    lambda r: r.brpop("right", 5),
    lambda r: r.blmove("moved", "out", 5),
    lambda r: r.bzpopmin("ranked", 5),
    lambda r: r.xread({"records": "$"}, block=50),
]
threads = [threading.Thread(target=worker, args=(t,)) for t in takes]
for t in threads:
    t.start()
r = connect()
for i in range(JOBS):
    p = r.pipeline(transaction=False)
    p.rpush("left", i)
    p.lpush("right", i)
    p.wait(1, 10)
    p.rpush("moved", i)
    p.zadd("ranked", {str(i): i})
    p.execute()
    r.xadd("records", {"i": i})
    time.sleep(0.01)
for t in threads:
    t.join()
