# SPDX-License-Identifier: Apache-2.0
"""A small web shop: visitors and their carts in Redis, products and orders in PostgreSQL.

Pages differ in weight: /cart asks Redis most, /product and /category ask PostgreSQL, /sales makes PostgreSQL read all
that was ever sold, /advice computes in Python. Who visits is said by the parameter visitor.

Faults by environment, in milliseconds, 0 for none: HOLD is how long a page keeps a connection to PostgreSQL before it
asks anything, as if it had asked something else meanwhile; OUTSIDE is how long a page waits for a service that is no
tier, before it asks anything.
"""
import json
import os
import pathlib
import time

import flask
import psycopg_pool
import redis
from psycopg.rows import namedtuple_row

PRODUCTS, CATEGORIES = 4000, 40
SESSION = 1800  # seconds
HOLD, OUTSIDE, POOL = (int(os.environ[name]) for name in ("HOLD", "OUTSIDE", "POOL"))
PASSWORD = pathlib.Path(os.environ["DEMO"], "service/password").read_text()

application = flask.Flask(__name__)
# A page that waits for a connection waits as long as its reader would.
database = psycopg_pool.ConnectionPool(
    f"host=127.0.0.1 port={os.environ['POSTGRESQL_PORT']} dbname=shop user=shop password={PASSWORD} sslmode=disable",
    min_size=POOL, max_size=POOL, timeout=20, kwargs={"autocommit": True, "row_factory": namedtuple_row})
store = redis.Redis(port=int(os.environ["REDIS_PORT"]), password=PASSWORD, decode_responses=True)


class Connection:
    """A connection of the pool, for as long as a page needs one."""

    def __enter__(self):
        self.context = database.connection()
        connection = self.context.__enter__()
        time.sleep(HOLD / 1000)
        return connection

    def __exit__(self, *error):
        return self.context.__exit__(*error)


def number(name, most):
    return max(1, min(most, flask.request.args.get(name, 1, type=int)))


@application.before_request
def begin():
    if flask.request.path == "/health":
        return
    time.sleep(OUTSIDE / 1000)
    flask.g.visitor = number("visitor", 10_000_000)
    key = f"session:{flask.g.visitor}"
    seen = json.loads(store.get(key) or "[]")
    flask.g.seen = seen[-5:]
    flask.g.in_cart = store.hlen(f"cart:{flask.g.visitor}")


def remember(product):
    """Keeps what a visitor has looked at."""
    seen = [p for p in flask.g.seen if p != product] + [product]
    store.set(f"session:{flask.g.visitor}", json.dumps(seen), ex=SESSION)


def page(title, **values):
    return flask.render_template("page.html", title=title, visitor=flask.g.visitor, in_cart=flask.g.in_cart, **values)


@application.get("/health")
def health():
    return "well\n"


@application.get("/")
def home():
    with Connection() as connection:
        new = connection.execute("SELECT id, name, cents FROM products ORDER BY id DESC LIMIT 12").fetchall()
        seen = connection.execute("SELECT id, name, cents FROM products WHERE id = ANY(%s)", (flask.g.seen,)).fetchall()
    return page("New in the shop", products=new, seen=seen)


@application.get("/category")
def category():
    which, offset = number("id", CATEGORIES) - 1, 20 * (number("page", 5) - 1)
    with Connection() as connection:
        count = connection.execute("SELECT count(*) FROM products WHERE category = %s", (which,)).fetchone()[0]
        found = connection.execute(
            "SELECT id, name, cents FROM products WHERE category = %s ORDER BY id LIMIT 20 OFFSET %s",
            (which, offset)).fetchall()
    return page(f"{count} products", products=found)


@application.get("/product")
def product():
    which = number("id", PRODUCTS)
    with Connection() as connection:
        shown = connection.execute("SELECT * FROM products WHERE id = %s", (which,)).fetchone()
        stars = connection.execute("SELECT avg(stars) FROM reviews WHERE product = %s", (which,)).fetchone()[0]
        reviews = connection.execute(
            "SELECT stars, text FROM reviews WHERE product = %s ORDER BY id DESC LIMIT 10", (which,)).fetchall()
    remember(which)
    return page(shown.name, shown=shown, stars=stars, reviews=reviews)


@application.get("/search")
def search():
    like = "%" + flask.request.args.get("word", "")[:20] + "%"
    with Connection() as connection:
        found = connection.execute(
            "SELECT id, name, cents FROM products WHERE name LIKE %s ORDER BY cents LIMIT 20", (like,)).fetchall()
    return page("Found", products=found)


@application.get("/add")
def add():
    which = number("id", PRODUCTS)
    key = f"cart:{flask.g.visitor}"
    flask.g.in_cart = store.hincrby(key, which, 1)
    store.expire(key, SESSION)
    return page("In your cart", products=[])


def contents():
    """Products in the cart, by id, and how many of each."""
    return {int(i): int(n) for i, n in store.hgetall(f"cart:{flask.g.visitor}").items()}


@application.get("/cart")
def cart():
    numbers = contents()
    with Connection() as connection:
        found = connection.execute(
            "SELECT id, name, cents FROM products WHERE id = ANY(%s)", (list(numbers),)).fetchall()
    return page("Your cart", products=found, total=sum(p.cents * numbers[p.id] for p in found))


@application.get("/order")
def order():
    numbers = contents()
    with Connection() as connection, connection.transaction():
        made = connection.execute(
            "INSERT INTO orders (visitor) VALUES (%s) RETURNING id", (flask.g.visitor,)).fetchone()
        connection.execute(
            "INSERT INTO items SELECT %s, p.id, wanted.number, p.cents FROM products AS p "
            "JOIN unnest(%s::int[], %s::int[]) AS wanted (id, number) ON wanted.id = p.id",
            (made.id, list(numbers), list(numbers.values())))
    store.delete(f"cart:{flask.g.visitor}")
    flask.g.in_cart = 0
    return page(f"Thank you for your order, number {made.id}", products=[])


@application.get("/sales")
def sales():
    """What sold best in a category, over all orders: no index helps."""
    which = number("id", CATEGORIES) - 1
    with Connection() as connection:
        best = connection.execute(
            "SELECT p.id, p.name, sum(i.number * i.cents) AS cents FROM items AS i "
            "JOIN orders AS o ON o.id = i.order_id JOIN products AS p ON p.id = i.product "
            "WHERE p.category = %s OR p.name LIKE '%%taru%%' GROUP BY p.id ORDER BY cents DESC LIMIT 20",
            (which,)).fetchall()
    return page("Sold best", products=best)


def likeness(a, b):
    """The cosine of the angle between two products' traits."""
    dot = sum(x * y for x, y in zip(a, b))
    return dot / (sum(x * x for x in a) * sum(y * y for y in b)) ** 0.5


@application.get("/advice")
def advice():
    """Products like the one that the visitor looks at: each of some categories is compared with it."""
    which = number("id", PRODUCTS)
    with Connection() as connection:
        shown = connection.execute("SELECT id, traits FROM products WHERE id = %s", (which,)).fetchone()
        others = connection.execute(
            "SELECT id, name, cents, traits FROM products WHERE category BETWEEN %s AND %s",
            (which % 36, which % 36 + 4)).fetchall()
    best = sorted(others, key=lambda other: likeness(shown.traits, other.traits), reverse=True)
    return page("You may like", products=best[:20])
