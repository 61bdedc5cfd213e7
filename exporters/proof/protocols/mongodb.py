# SPDX-License-Identifier: Apache-2.0
"""Clients of MongoDB: mongodb.py LOAD PORT."""
import sys
import threading
import time

import pymongo
from pymongo.cursor import CursorType
from pymongo.errors import DuplicateKeyError, OperationFailure

client = pymongo.MongoClient("127.0.0.1", int(sys.argv[2]), maxPoolSize=50)
database = client.proof


def together(*loads):
    failed = []

    def run(load):
        try:
            load()
        except Exception as e:
            failed.append(e)

    workers = [threading.Thread(target=run, args=(load,)) for load in loads]
    for w in workers:
        w.start()
    for w in workers:
        w.join()
    if failed:
        raise failed[0]


def ask(n):
    rows = client[f"python{n}"].rows  # a file of its own: SQLite has one writer at a time
    for i in range(10):
        mine = {"worker": n, "round": i}
        rows.insert_many([{**mine, "i": k, "text": "x" * 1000} for k in range(100)])
        assert len(list(rows.find(mine, batch_size=10))) == 100
        rows.update_many(mine, {"$set": {"seen": True}})
        one = rows.find_one(mine)
        try:
            rows.insert_one({"_id": one["_id"]})
            raise AssertionError("a row came twice")
        except DuplicateKeyError:
            pass
        try:
            rows.find_one({"$nothing": 1})
            raise AssertionError("an operator that is none")
        except OperationFailure:
            pass
        if i == 0:
            rows.insert_one({**mine, "large": "y" * 2_000_000})
            assert len(rows.find_one({**mine, "large": {"$exists": True}})["large"]) == 2_000_000
        rows.delete_many(mine)


def threads():
    together(*[lambda n=n: ask(n) for n in range(8)])


def tails():
    """Readers that wait at the end of a capped collection, beside a writer."""
    name = f"tail{time.time_ns()}"
    database.create_collection(name, capped=True, size=1_000_000, max=1000)
    rows = database[name]
    rows.insert_many([{"i": -i} for i in range(6)])

    def read():
        end = time.monotonic() + 4
        # more than its first answer holds, since the server closes a cursor that is through at once
        cursor = rows.find(cursor_type=CursorType.TAILABLE_AWAIT, batch_size=2).max_await_time_ms(300)
        while cursor.alive and time.monotonic() < end:
            for _ in cursor:
                pass

    def write():
        for i in range(20):
            rows.insert_one({"i": i + 1})
            time.sleep(0.15)

    together(read, read, read, write)


globals()[sys.argv[1]]()
client.close()
