# SPDX-License-Identifier: Apache-2.0
"""A client of Cassandra: cassandra.py VERSION PORT. Prints how many requests it made of each kind."""
import collections
import sys

from cassandra.cluster import Cluster
from cassandra.concurrent import execute_concurrent_with_args
from cassandra.connection import Connection
from cassandra.protocol import BatchMessage, ExecuteMessage, PrepareMessage, QueryMessage
from cassandra.query import BatchStatement

requests = collections.Counter()
send = Connection.send_msg


def counting(self, msg, *args, **more):
    if isinstance(msg, (BatchMessage, ExecuteMessage, PrepareMessage, QueryMessage)):
        requests[type(msg).__name__.removesuffix("Message").upper()] += 1
    return send(self, msg, *args, **more)


Connection.send_msg = counting
cluster = Cluster(["127.0.0.1"], port=int(sys.argv[2]), protocol_version=int(sys.argv[1]), compression=False)
s = cluster.connect()
s.execute("create keyspace if not exists proof with replication = {'class': 'SimpleStrategy', 'replication_factor': 1}")
s.execute("create table if not exists proof.rows (id int primary key, text text)")
write = s.prepare("insert into proof.rows (id, text) values (?, ?)")
read = s.prepare("select text from proof.rows where id = ?")
for i in range(50):
    s.execute(write, (i, "x" * 100))
execute_concurrent_with_args(s, write, [(i, "x" * 100) for i in range(1000)], concurrency=100)
execute_concurrent_with_args(s, read, [(i,) for i in range(1000)], concurrency=100)
for i in range(5):  # several frames in version 5
    s.execute(write, (i, "y" * 400_000))
    assert len(s.execute(read, (i,)).one().text) == 400_000
batch = BatchStatement()
for i in range(20):
    batch.add(write, (i, "z"))
s.execute(batch)
for i in range(5):
    try:
        s.execute("select nothing from proof.rows")
    except Exception:
        pass
cluster.shutdown()
for kind, n in requests.items():
    print(kind, n)
