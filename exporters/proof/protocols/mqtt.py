# SPDX-License-Identifier: Apache-2.0
"""Clients of MQTT: mqtt.py LOAD PORT END. Prints how many connections they had.

They go on until the file END is there.
"""
import os
import sys
import threading
import time

import paho.mqtt.client as mqtt

clients = []
heard = 0


def ended():
    return os.path.exists(sys.argv[3])


def connect(version, qos=None, topic="proof/jobs"):
    """A client, which listens with a quality of service where one is given, and is heard of every two seconds."""
    c = mqtt.Client(mqtt.CallbackAPIVersion.VERSION2, protocol=version)
    ready = threading.Event()

    def connected(*_):
        if qos is None:
            ready.set()
        else:
            c.subscribe(topic, qos)

    def received(*_):
        global heard
        heard += 1

    c.on_connect, c.on_message, c.on_subscribe = connected, received, lambda *_: ready.set()
    c.connect("127.0.0.1", int(sys.argv[2]), keepalive=2)
    c.loop_start()
    assert ready.wait(10)
    clients.append(c)
    return c


def publish(qos, size=5, burst=1):
    """A client of each version publishes in bursts, and two of each listen, with that quality and with another."""
    versions = (mqtt.MQTTv311, mqtt.MQTTv5)
    for v in versions:
        connect(v, qos)
        connect(v, (qos + 1) % 3)
    senders = [connect(v) for v in versions]
    while not ended():
        for s in senders:
            sent = [s.publish("proof/jobs", b"x" * size, qos) for _ in range(burst)]
            sent[-1].wait_for_publish(10)
        time.sleep(0.005)
    assert heard


def qos0():
    publish(0)


def qos1():
    publish(1)


def qos2():
    publish(2)


def bursts():
    publish(0, burst=100)


def large():
    publish(0, 300_000)


def listen():
    """Nobody publishes."""
    for v in (mqtt.MQTTv311, mqtt.MQTTv5):
        connect(v, 1, "proof/silence")
    while not ended():
        time.sleep(0.1)


globals()[sys.argv[1]]()
for client in clients:
    client.disconnect()
    client.loop_stop()
print("connections", len(clients))
