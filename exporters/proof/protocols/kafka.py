# SPDX-License-Identifier: Apache-2.0
"""Clients of Kafka: kafka.py LOAD PORT."""
import sys
import threading
import time

from confluent_kafka import Consumer, Producer
from confluent_kafka.admin import AdminClient, NewTopic

TOPIC = "proof"


def options(name, **more):
    return {"bootstrap.servers": f"127.0.0.1:{sys.argv[2]}", "client.id": name} | more


def produce(n=2000, size=200, **more):
    p = Producer(options("proof-producer", **more))
    for i in range(n):
        p.produce(TOPIC, b"x" * size)
        if i % 50 == 0:
            p.poll(0.01)
    assert p.flush(60) == 0


def consume(group, seconds=4):
    c = Consumer(options("proof-consumer", **{
        "group.id": group, "auto.offset.reset": "earliest", "fetch.wait.max.ms": 300, "enable.auto.commit": False}))
    c.subscribe([TOPIC])
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if c.poll(0.1):
            c.commit(asynchronous=False)
    c.unsubscribe()
    c.poll(0.5)  # what says farewell to the group is answered
    c.close()


def producers():
    ahead = {"batch.num.messages": 1, "linger.ms": 0, "max.in.flight": 100}
    together(produce, lambda: produce(500, 20_000, acks="1"), lambda: produce(300, **ahead))


def unanswered():
    together(lambda: produce(acks="0"), lambda: produce(300, 50_000, acks="0"))


def readers():
    together(lambda: consume("a"), lambda: consume("a"), lambda: consume("b"), lambda: produce(500))


def together(*loads):
    threads = [threading.Thread(target=f) for f in loads]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    time.sleep(1)  # what was asked last is answered


def topic():
    admin = AdminClient(options("proof-admin"))
    if TOPIC not in admin.list_topics(timeout=5).topics:
        admin.create_topics([NewTopic(TOPIC, 2, 1)])[TOPIC].result(30)
    produce(10)
    consume("a", 2)


globals()[sys.argv[1]]()
