# SPDX-License-Identifier: Apache-2.0
"""Clients of STOMP: stomp.py LOAD PORT END. Prints how many connections they had.

They go on until the file END is there.
"""
import os
import sys
import time

import stomp

clients = []
heard = 0


def ended():
    return os.path.exists(sys.argv[3])


class Listener(stomp.ConnectionListener):
    def __init__(self, c, ack):
        self.c, self.ack = c, ack

    def on_message(self, frame):
        global heard
        heard += 1
        if self.ack != "auto":
            self.c.ack(frame.headers["ack"])


def connect(queue=None, ack="auto"):
    """A client, which listens to a queue where one is given; both sides are heard of every second."""
    c = stomp.Connection12([("127.0.0.1", int(sys.argv[2]))], vhost="/", heartbeats=(1000, 1000))
    if queue:
        c.set_listener("", Listener(c, ack))
    c.connect("guest", "guest", wait=True)
    if queue:
        c.subscribe(queue, id="1", ack=ack, headers={"prefetch-count": "10"})
    clients.append(c)
    return c


def publish(size=5):
    """One publishes, every third message in a transaction; one that acknowledges and one that does not listen."""
    connect("/queue/proof", "client-individual")
    connect("/queue/proof")
    sender = connect()
    i = 0
    while not ended():
        i += 1
        transaction = sender.begin() if i % 3 == 0 else None
        sender.send("/queue/proof", "x" * size, transaction=transaction)
        if transaction:
            sender.commit(transaction)
        time.sleep(0.01)
    time.sleep(0.5)
    assert heard


def large():
    publish(300_000)


def listen():
    """Nobody publishes."""
    connect("/queue/silence", "client-individual")
    connect("/queue/silence")
    while not ended():
        time.sleep(0.1)


globals()[sys.argv[1]]()
for client in clients:
    client.disconnect()
print("connections", len(clients))
