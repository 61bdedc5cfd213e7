# SPDX-License-Identifier: Apache-2.0
"""What applications in Python ask of MariaDB: mariadb.py LOAD PORT, or mariadb.py kept PORT CONTROL.

The latter keeps its connections, and asks once for each connection to the port CONTROL, to which it says ok afterwards.
"""
import io
import os
import socket
import sys
import tempfile
import threading

import mysql.connector
import pymysql

PORT = int(sys.argv[2])
TABLE = "create table if not exists %s(i int, s mediumtext)"


def connect(**options):
    return pymysql.connect(host="127.0.0.1", port=PORT, user="proof", database="app", autocommit=True, **options)


def connector():
    return mysql.connector.connect(host="127.0.0.1", port=PORT, user="proof", database="app", use_pure=True,
                                   ssl_disabled=True, collation="utf8mb4_general_ci", autocommit=True)


def statements(c, n):
    cursor = c.cursor()
    cursor.execute(TABLE % f"text{n}")
    for i in range(150):
        cursor.execute("select %s, repeat('x', %s)", (i, i * 10))
        cursor.fetchall()
        if i % 5 == 0:
            c.begin()
            cursor.execute(f"insert into text{n} values (%s, 'short')", (i,))
            c.commit()
        if i % 20 == 0:
            c.ping()
            c.select_db("app")
            try:
                cursor.execute("select nothing from nowhere")
            except pymysql.err.ProgrammingError:
                pass


def text(n):
    """Statements as text, transactions, errors, pings and another database."""
    c = connect()
    statements(c, n)
    c.close()


def fresh(_):
    """A connection for each statement."""
    for i in range(40):
        c = connect()
        c.cursor().execute("select %s", (i,))
        c.close()


def with_values(c, n):
    ddl = c.cursor()
    ddl.execute(TABLE % f"prepared{n}")
    for i in range(20):
        cursor = c.cursor(prepared=True)
        for j in range(10):
            cursor.execute("select ?, repeat('y', ?)", (j, 20 * j))
            cursor.fetchall()
        cursor.close()
        insert = c.cursor(prepared=True)
        insert.execute(f"insert into prepared{n} values (?, ?)", (i, io.BytesIO(b"z" * (100 if i % 2 else 300_000))))
        insert.close()
        c.ping()


def prepared(n):
    """Statements that are prepared, run with values of all sizes, and closed."""
    c = connector()
    with_values(c, n)
    c.close()


def large(n):
    """Results and statements of megabytes."""
    c = connect()
    cursor = c.cursor()
    cursor.execute(TABLE % f"large{n}")
    for i in range(4):
        cursor.execute("select seq, repeat('r', 100) from seq_1_to_20000")
        assert len(cursor.fetchall()) == 20_000
        cursor.execute(f"insert into large{n} values (%s, %s)", (i, "l" * 3_000_000))
    cursor.execute(f"select s from large{n}")
    cursor.fetchall()
    cursor.execute(f"drop table large{n}")
    c.close()


def infile(n):
    """Rows from a file of the client's."""
    c = connect(local_infile=True)
    cursor = c.cursor()
    cursor.execute(TABLE % f"infile{n}")
    with tempfile.NamedTemporaryFile("w", suffix=".tsv") as rows:
        rows.writelines(f"{i}\t{'f' * 60}\n" for i in range(20_000))
        rows.flush()
        os.chmod(rows.name, 0o644)
        for _ in range(3):
            cursor.execute(f"load data local infile '{rows.name}' into table infile{n}")
            cursor.execute("select 1")
            cursor.fetchall()
    cursor.execute(f"drop table infile{n}")
    c.close()


def at_once(call):
    """Calls a function with 0 to 5 at once; returns how many failed."""
    failed = []

    def guarded(n):
        try:
            call(n)
        except Exception as e:  # of any kind: the count is no reference then
            failed.append(e)
            raise

    threads = [threading.Thread(target=guarded, args=(n,)) for n in range(6)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    return len(failed)


def keep(control):
    """Half of the connections ask in text, the others prepare."""
    clients = [(statements, connect()) if n % 2 else (with_values, connector()) for n in range(6)]
    server = socket.create_server(("127.0.0.1", control))
    while True:
        asks, _ = server.accept()
        with asks:
            failed = at_once(lambda n: clients[n][0](clients[n][1], n))
            asks.sendall(b"failed" if failed else b"ok")


if sys.argv[1] == "kept":
    keep(int(sys.argv[3]))
sys.exit(at_once(globals()[sys.argv[1]]))
