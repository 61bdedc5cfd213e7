# SPDX-License-Identifier: Apache-2.0
"""Clients of AMQP: amqp.py LOAD PORT END. Prints how many connections they had.

They go on until the file END is there.
"""
import os
import sys
import threading
import time

import pika

counts = {"connections": 0, "heard": 0}
failed = []


def ended():
    return os.path.exists(sys.argv[3])


def connect(queue):
    """A channel; both sides are heard of every two seconds."""
    c = pika.BlockingConnection(pika.ConnectionParameters("127.0.0.1", int(sys.argv[2]), heartbeat=2))
    counts["connections"] += 1
    channel = c.channel()
    channel.queue_declare(queue)
    return c, channel


def listener(queue, acknowledge):
    c, channel = connect(queue)
    channel.basic_qos(prefetch_count=10)

    def received(channel, method, properties, body):
        counts["heard"] += 1
        if acknowledge:
            channel.basic_ack(method.delivery_tag)

    channel.basic_consume(queue, received, auto_ack=not acknowledge)
    while not ended():
        c.process_data_events(0.1)
    c.close()


def sender(confirmed, size):
    c, channel = connect("proof")
    if confirmed:
        channel.confirm_delivery()
    while not ended():
        channel.basic_publish("", "proof", b"x" * size)
        c.process_data_events(0.005)
    c.close()


def together(*loads):
    def run(load, *arguments):
        try:
            load(*arguments)
        except Exception as e:
            failed.append(e)

    threads = [threading.Thread(target=run, args=load) for load in loads]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    if failed:
        raise failed[0]


def publish(size=5):
    together((listener, "proof", True), (listener, "proof", False), (sender, True, size), (sender, False, size))
    assert counts["heard"]


def large():
    publish(300_000)


def listen():
    """Nobody publishes."""
    together((listener, "silence", True), (listener, "silence", False))


globals()[sys.argv[1]]()
print("connections", counts["connections"])
