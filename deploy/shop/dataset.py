# SPDX-License-Identifier: Apache-2.0
"""Makes the shop's tables and fills them, always with the same rows.

    dataset.py SCHEMA SOCKET_DIRECTORY PORT PASSWORD_FILE

It connects over the Unix socket as the account that it runs as, and makes the account of the service.
"""
import pathlib
import random
import sys

import psycopg
from psycopg import sql

PRODUCTS, CATEGORIES, REVIEWS, ORDERS = 4000, 40, 40000, 30000
SYLLABLES = "ba ke lo mi ta ru sen vo di pel no shi fu tor".split()


def words(draw, count):
    return " ".join("".join(draw.choices(SYLLABLES, k=draw.randint(2, 3))) for _ in range(count))


def products(draw):
    for i in range(1, PRODUCTS + 1):
        traits = [round(draw.uniform(-1, 1), 3) for _ in range(8)]
        yield i, i % CATEGORIES, words(draw, 2), words(draw, 60), draw.randint(100, 20000), traits


def reviews(draw):
    for i in range(1, REVIEWS + 1):
        yield i, draw.randint(1, PRODUCTS), draw.randint(1, 5), words(draw, 20)


def items(draw):
    for order in range(1, ORDERS + 1):
        for product in draw.sample(range(1, PRODUCTS + 1), 3):
            yield order, product, draw.randint(1, 4), draw.randint(100, 20000)


def fill(cursor, table, columns, rows):
    with cursor.copy(f"COPY {table} ({columns}) FROM STDIN") as copy:
        for row in rows:
            copy.write_row(row)


def main(schema, socket, port, password):
    draw = random.Random(1)
    where = f"host={socket} port={port}"
    with psycopg.connect(f"{where} dbname=postgres", autocommit=True) as connection:
        connection.execute("DROP DATABASE IF EXISTS shop")
        connection.execute("DROP ROLE IF EXISTS shop")
        secret = pathlib.Path(password).read_text()
        connection.execute(sql.SQL("CREATE ROLE shop LOGIN PASSWORD {}").format(secret))
        connection.execute("CREATE DATABASE shop")
    with psycopg.connect(f"{where} dbname=shop") as connection, connection.cursor() as cursor:
        cursor.execute(pathlib.Path(schema).read_text())
        fill(cursor, "products", "id, category, name, description, cents, traits", products(draw))
        fill(cursor, "reviews", "id, product, stars, text", reviews(draw))
        cursor.execute(
            "INSERT INTO orders (id, visitor, made) SELECT i, i %% 2000, now() - i * interval '20 minutes' "
            "FROM generate_series(1, %s) AS i", (ORDERS,))
        cursor.execute("SELECT setval(pg_get_serial_sequence('orders', 'id'), %s)", (ORDERS,))
        fill(cursor, "items", "order_id, product, number, cents", items(draw))
        cursor.execute("CREATE INDEX ON products (category, id)")
        cursor.execute("CREATE INDEX ON reviews (product)")
        cursor.execute("CREATE INDEX ON items (order_id)")
        cursor.execute("GRANT SELECT, INSERT ON ALL TABLES IN SCHEMA public TO shop")
        cursor.execute("GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO shop")
    with psycopg.connect(f"{where} dbname=shop", autocommit=True) as connection:
        connection.execute("VACUUM ANALYZE")  # cannot run in a transaction


if __name__ == "__main__":
    main(*sys.argv[1:])
