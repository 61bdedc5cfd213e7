# SPDX-License-Identifier: Apache-2.0
"""A client of MongoDB: mongodb.py PORT. Prints how many commands with an answer it sent."""
import sys
import threading

from pymongo import MongoClient, monitoring
from pymongo.write_concern import WriteConcern

UNANSWERED = 200


class Commands(monitoring.CommandListener):
    """Counts what is answered; what clients ask to know the server is not among the commands."""

    def __init__(self):
        self.count = 0
        self.lock = threading.Lock()

    def started(self, event):
        with self.lock:
            self.count += 1

    def succeeded(self, event):
        pass

    def failed(self, event):
        pass


commands = Commands()
client = MongoClient("127.0.0.1", int(sys.argv[1]), event_listeners=[commands], heartbeatFrequencyMS=500)
rows = client.proof.rows


def work(n):
    for i in range(100):
        rows.insert_one({"n": n, "i": i, "text": "x" * 100})
        rows.find_one({"n": n, "i": i})
    for i in range(3):
        rows.insert_one({"n": n, "large": "y" * 1_000_000})
    assert len(list(rows.find({"n": n, "i": {"$gte": 0}}, batch_size=10))) == 100
    client.proof.command("ping")


def together(work):
    threads = [threading.Thread(target=work, args=(n,)) for n in range(8)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()


rows.drop()
together(work)
unanswered = client.proof.get_collection("unanswered", write_concern=WriteConcern(w=0))
for i in range(UNANSWERED):
    unanswered.insert_one({"i": i})
client.proof.command("ping")
client.close()
print(commands.count - UNANSWERED)
