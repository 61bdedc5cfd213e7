# SPDX-License-Identifier: Apache-2.0
"""What applications in Python ask of PostgreSQL: client.py LOAD PORT."""
import asyncio
import sys
import threading

import asyncpg
import psycopg

DSN = f"host=127.0.0.1 port={sys.argv[2]} user=proof dbname=app"


def connect(**options):
    return psycopg.connect(DSN, autocommit=True, **options)


def statements(prepare=None):
    with connect() as c:
        for i in range(50):
            c.execute("select %s::int", (i,), prepare=prepare).fetchall()


def prepared():
    statements(prepare=True)


def transactions():
    # never prepared: what is prepared is a request, and no statement
    with psycopg.connect(DSN, prepare_threshold=None) as c:
        for i in range(50):
            c.execute("select %s::int", (i,)).fetchall()
            if i % 10 == 9:
                c.commit()


def copy():
    with connect() as c:
        c.execute("create table if not exists copied(i int, s text)")
        for _ in range(5):
            with c.cursor().copy("copy copied from stdin") as rows:
                for i in range(3000):
                    rows.write_row((i, "x" * 50))
        with c.cursor().copy("copy copied to stdout") as rows:
            assert sum(len(r) for r in rows) > 100_000
        c.execute("drop table copied")


def executemany():
    with connect() as c:
        c.execute("create table if not exists many(i int)")
        c.cursor().executemany("insert into many values (%s)", [(i,) for i in range(5000)])
        c.execute("drop table many")


def large():
    with connect() as c:
        for _ in range(5):
            c.execute("select i, repeat('x', 40) from generate_series(1, 20000) i").fetchall()
            c.execute("select length(%s)", ("y" * 300_000,)).fetchall()


def cancel():
    with connect() as c:
        threading.Timer(0.3, c.cancel).start()
        try:
            c.execute("select pg_sleep(10)")
        except psycopg.errors.QueryCanceled:
            pass
        c.execute("select 1")


def errors():
    with connect() as c:
        for _ in range(10):
            try:
                c.execute("select 1/0")
            except psycopg.errors.DivisionByZero:
                pass


async def ask(**options):
    c = await asyncpg.connect(host="127.0.0.1", port=int(sys.argv[2]), user="proof", database="app", **options)
    for i in range(50):
        await c.fetch("select $1::int", i)
    async with c.transaction():
        await c.fetch("select 1")
    await c.close()


if sys.argv[1] == "asyncpg":
    asyncio.run(ask())
elif sys.argv[1] == "asyncpg-uncached":  # as behind PgBouncer: each statement is prepared by a Flush of its own
    asyncio.run(ask(statement_cache_size=0))
else:
    globals()[sys.argv[1]]()
